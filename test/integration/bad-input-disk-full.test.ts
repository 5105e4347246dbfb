import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, expectRefusal, isRoot, openStage, type Ended, type Stage } from "./bad-input-stage.ts";
import { plainGit } from "./pipeline-stage.ts";

/** One command on a file system that is full, and the same command after space was freed; what lay half-written at the end. */
interface Filled {
  readonly full: Ended;
  readonly freed: Ended;
  readonly left: string;
}

const script = `mount -t tmpfs -o "mode=700,size=$1" none "$0" || exit 99
run() { shift 2; "$@" >"$OUT.$name.out" 2>"$OUT.$name.err"; echo $? >"$OUT.$name.code"; }
name=full; run "$0" "$@"
mount -o remount,size=1g "$0" || exit 98
name=freed; run "$0" "$@"
find "$0" -name "*.part" -o -name "*.tmp" -o -name "*.new" -o -name ".new-*"`;

let stage: Stage;
let work: string;
let runs = 0;
beforeAll(() => {
  stage = openStage();
  work = stage.repository("work", { "a.txt": "a\n", "b.txt": "b\n".repeat(9000) }, { "a.txt": "a\nz\n" });
  stage.write({
    "contract.json": '{"max_added_lines":2}',
    "agent.json": JSON.stringify({ version: 1, steps: [{ write: { path: "x.txt", text: "x\n" } }] }),
  });
  mkdirSync(stage.path("small"));
});
afterAll(() => stage[Symbol.dispose]());

/** Runs a command with \`small\` as its state or cache, on a tmpfs of that size in a mount namespace of its own. */
function fill(variable: "TRUEUP_STATE" | "TRUEUP_CACHE", size: string, argv: readonly string[]): Filled {
  const out = stage.path(`run-${(runs += 1)}`);
  const ended = spawnSync(
    "unshare",
    [isRoot ? "-m" : "-rm", "sh", "-c", script, stage.path("small"), size, process.execPath, bin, ...argv],
    {
      cwd: work,
      env: { ...stage.env, PATH: process.env["PATH"], [variable]: stage.path("small"), OUT: out },
      encoding: "utf8",
    },
  );
  expect([ended.status, ended.stderr]).toEqual([0, ""]);
  const read = (name: string): Ended => ({
    exit: Number(readFileSync(`${out}.${name}.code`, "utf8")),
    stdout: readFileSync(`${out}.${name}.out`, "utf8"),
    stderr: readFileSync(`${out}.${name}.err`, "utf8"),
  });
  return { full: read("full"), freed: read("freed"), left: ended.stdout };
}

describe("a full disk", () => {
  const check = ["check", "--quiet", "--contract", "../contract.json"];
  test.each([
    ["TRUEUP_STATE", "4k"],
    ["TRUEUP_STATE", "8k"],
    ["TRUEUP_CACHE", "4k"],
    ["TRUEUP_CACHE", "32k"],
    ["TRUEUP_CACHE", "56k"],
    ["TRUEUP_CACHE", "72k"],
  ] as const)("%s of %s ends a check as disk-full; with space the same command passes", (variable, size) => {
    const { full, freed, left } = fill(variable, size, check);
    expectRefusal(full, { code: "disk-full", hint: /run the same command again/u });
    expect([freed.exit, freed.stderr, left]).toEqual([0, "", ""]);
    expect(freed.stdout).toMatch(/^Acceptance: 1\/1 checks passed/mu);
  });

  test.each(["4k", "24k", "60k", "76k"])(
    "[G8] a state of %s ends a delivery as disk-full; with space it goes on, to one branch and one pull request",
    (size) => {
      const name = `remote-${size}.git`;
      plainGit(stage.home, "clone", "-q", "--bare", work, name);
      const contract = { max_added_lines: 2 };
      stage.write({ "task.json": JSON.stringify({ title: size, repo: stage.path(name), prompt: "Do it.", contract }) });
      const argv = ["deliver", "../task.json", "--quiet", "--agent", "scripted:../agent.json"];
      const { full, freed, left } = fill("TRUEUP_STATE", size, argv);
      expectRefusal({ ...full, stderr: full.stderr.replace(/^ {2}│.*\n/gmu, "") }, { code: "disk-full" });
      expect([freed.exit, left]).toEqual([0, ""]);
      expect(freed.stdout).toMatch(/^Status: published/mu);
      const branches = plainGit(stage.path(name), "for-each-ref", "--format=%(refname)").trim().split("\n");
      expect(branches).toEqual(["refs/heads/main", expect.stringMatching(/^refs\/heads\/trueup\/[0-9a-f]{12}$/u)]);
      expect(readdirSync(stage.path(`${name}.pulls`))).toEqual(["1.json"]);
    },
  );

  test("a full disk under --out is said of the file that did not fit, and no part of it stays", () => {
    const { full, freed, left } = fill("TRUEUP_STATE", "8k", [...check, "--out", stage.path("small", "out")]);
    expectRefusal(full, { code: "disk-full" });
    expect([freed.exit, left]).toEqual([0, ""]);
    expect(existsSync(stage.path("small", "out"))).toBe(false);
  });
});
