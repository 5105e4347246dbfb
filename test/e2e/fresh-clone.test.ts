import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listTree } from "../../tools/list-tree.ts";

const repository = path.dirname(path.dirname(import.meta.dirname));
/** The machine's own path: without the Node that set-up added to this checkout. */
const machinePath = (process.env.PATH ?? "")
  .split(path.delimiter)
  .filter((dir) => !dir.endsWith(path.join("node_modules", ".bin")))
  .join(path.delimiter);

describe("a fresh clone", () => {
  const clone = fs.mkdtempSync(path.join(os.tmpdir(), "clone-"));
  afterAll(() => fs.rmSync(clone, { recursive: true, force: true }));

  const run = (command: string, args: readonly string[]) => {
    const env = { ...process.env, PATH: machinePath, CI: "true" };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone, env, encoding: "utf8" });
    return { code: status, stdout, stderr };
  };
  const setUp = (...after: readonly string[]) => run("node", ["tools/setup.mjs", "--", ...after]);
  const read = (file: string): string => fs.readFileSync(path.join(clone, file), "utf8");

  beforeAll(() => {
    for (const file of listTree(repository)) {
      fs.mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
      fs.copyFileSync(path.join(repository, file), path.join(clone, file));
    }
    const { code, stderr } = run("node", ["tools/setup.mjs"]);
    if (code !== 0) throw new Error(stderr);
  });

  test("set-up says what it did and leaves the lockfile as it was", () => {
    expect(read("package-lock.json")).toBe(fs.readFileSync(path.join(repository, "package-lock.json"), "utf8"));
  });

  test("what runs after set-up runs under a Node that reads the sources, whatever the machine has", () => {
    const { code, stdout } = setUp("node", "-p", "process.features.typescript");
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "strip" });
  });

  test("a second set-up does and says nothing", () => {
    expect(run("node", ["tools/setup.mjs"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("the exit code of what runs afterwards is passed on, also after a signal", () => {
    expect(setUp("node", "-e", "process.exit(7)").code).toBe(7);
    expect(setUp("node", "-e", "process.kill(process.pid, 'SIGTERM')").code).toBe(143);
    expect(setUp("no-such-program").code).toBe(127);
  });

  test("`npx trueup` and the linked command find this checkout", () => {
    expect(run("npx", ["--no-install", "trueup", "--help"])).toMatchObject({ code: 0 });
    expect(run(path.join("node_modules", ".bin", "trueup"), ["--help"])).toMatchObject({ code: 0 });
  });

  test("a package that went missing is put back, and the right Node is still there afterwards", () => {
    fs.rmSync(path.join(clone, "node_modules", "zod"), { recursive: true });
    const { code, stdout, stderr } = setUp("node", "-p", "process.features.typescript");
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "strip" });
    expect(stderr).toContain("node_modules/zod is gone: npm ci");
    expect(fs.existsSync(path.join(clone, "node_modules", "zod", "package.json"))).toBe(true);
  });

  test("a lockfile that npm refuses ends set-up with exit 1 and says where it stopped", () => {
    const lock = read("package-lock.json");
    const manifest = read("package.json");
    fs.writeFileSync(path.join(clone, "package-lock.json"), lock.replace(/"zod": "[^"]+"/g, '"zod": "0.0.1"'));
    fs.rmSync(path.join(clone, "node_modules"), { recursive: true });
    const { code, stderr } = run("node", ["tools/setup.mjs"]);
    expect(code).toBe(1);
    expect(stderr).toContain("`npm ci` failed");
    expect(read("package.json")).toBe(manifest);
  });
});
