import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const repository = path.dirname(path.dirname(import.meta.dirname));
/** A path as a clean machine has it: nothing of this checkout on it, only Node and the system. */
const cleanPath = [path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter);

/** How this machine reaches a package registry, if it needs to be told; nothing else of its environment. */
const network = Object.fromEntries([
  ...Object.entries(process.env).filter(([name]) => /^(https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name)),
  ["npm_config_userconfig", path.join(os.homedir(), ".npmrc")],
]) as Readonly<Record<string, string>>;

const run = (cwd: string, command: string, args: readonly string[]) => {
  const env = { ...network, HOME: cwd, PATH: cleanPath, npm_config_cache: path.join(repository, ".cache", "npm") };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
  return { code: status, stdout, stderr };
};

/** The output of a step without which there is nothing to test. */
const must = (cwd: string, command: string, args: readonly string[]): string => {
  const { code, stdout, stderr } = run(cwd, command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`);
  return stdout;
};

describe("the packed archive in a clean environment", () => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "packed-"));
  const trueup = path.join(place, "node_modules", ".bin", "trueup");
  afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

  beforeAll(() => {
    must(repository, "node", ["tools/build.ts"]);
    const packed = must(repository, "npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", place]);
    fs.writeFileSync(path.join(place, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
    must(place, "npm", ["install", "--no-audit", "--no-fund", path.join(place, packed.trim())]);
  });

  test("the command starts and shows its help", () => {
    const { code, stdout, stderr } = run(place, trueup, ["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("deliver");
  });

  test("an invalid contract ends with exit 2 and its reason, a valid one with 0", () => {
    fs.writeFileSync(path.join(place, "bad.json"), '{ "version": 1, "surprise": true }');
    const bad = run(place, trueup, ["contract", "check", "bad.json"]);
    expect(bad.code).toBe(2);
    expect(`${bad.stdout}${bad.stderr}`).toContain("surprise");
    fs.writeFileSync(path.join(place, "good.json"), '{ "changed_files_only": ["src/a.ts"] }');
    expect(run(place, trueup, ["contract", "check", "good.json"])).toMatchObject({ code: 0 });
  });

  test("an unknown command is a usage error without a stack trace", () => {
    const { code, stderr } = run(place, trueup, ["surprise"]);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("the library's surface can be imported by name", () => {
    const script = 'import * as t from "trueup"; console.log(Object.keys(t).length > 0, "default" in t);';
    expect(run(place, "node", ["--input-type=module", "-e", script]).stdout.trim()).toBe("true false");
  });

  test("the witness is shipped as files beside the compiled code", () => {
    const witness = path.join(place, "node_modules", "trueup", "dist", "witness");
    const shipped = fs
      .readdirSync(path.join(repository, "src", "witness"))
      .filter((file) => /\.(cjs|mjs|json)$/.test(file));
    expect(fs.readdirSync(witness)).toEqual(expect.arrayContaining(shipped));
  });

  test("a Node that is too old is told so, with what to do, before newer syntax is met", () => {
    const pretend = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';
    const args = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, trueup, "--help"];
    const { code, stderr } = run(place, "node", args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^trueup: Node 22\.13 or newer is needed.*Install Node 24/);
  });
});
