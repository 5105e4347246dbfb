import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FitReport } from "../../src/core/fit/index.ts";
import { openPipeline, plainGit, writeFiles, type Files, type Pipeline, type Ran } from "./pipeline-stage.ts";

const manifest = (more: object = {}): string =>
  JSON.stringify({ name: "app", scripts: { test: "node --test" }, ...more });
const passing = 'require("node:test").test("adds", () => {});\n';
const good: Files = { "package.json": manifest(), "a.test.js": passing };
const dependsOn = (dependencies: object, more: object = {}): string => manifest({ dependencies, ...more });
const lockOf = (dependencies: object, locked: object): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { "": { name: "app", dependencies }, "node_modules/plain": locked },
  });
const pointer = `version https://lfs.invalid/spec/v1\noid sha256:${"0".repeat(64)}\nsize 3\n`;

let stage: Pipeline;
let count = 0;
beforeAll(() => {
  stage = openPipeline(good);
});
afterAll(() => stage[Symbol.dispose]());

/** A repository of its own; `submodule` puts a link to a commit of another one into it. */
function repository(files: Files, submodule?: string): string {
  const place = path.join(stage.home, `repository-${(count += 1)}`);
  plainGit(stage.home, "init", "-q", "-b", "main", place);
  writeFiles(place, files);
  plainGit(place, "add", "-A");
  if (submodule !== undefined)
    plainGit(place, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${submodule}`);
  plainGit(place, "commit", "-q", "-m", "base");
  return place;
}

async function preflight(place: string, ...flags: readonly string[]): Promise<{ ran: Ran; report: FitReport }> {
  const ran = await stage.run(stage.home, ["preflight", place, "--json", "--quiet", ...flags]);
  return { ran, report: ran.answer as unknown as FitReport };
}

type Row = readonly [what: string, code: string, says: RegExp, files: Files, more?: { submodule?: string }];
const declined: readonly Row[] = [
  [
    "no lockfile",
    "lockfile-missing",
    /package-lock\.json/u,
    { ...good, "package.json": dependsOn({ plain: "1.0.0" }) },
  ],
  [
    "another runner",
    "runner-unknown",
    /mocha/u,
    { "package.json": manifest({ scripts: { test: "mocha" } }), "a.test.js": passing },
  ],
  [
    "a runner of another language",
    "runner-unknown",
    /go test/u,
    { "go.mod": "module a\n", "a_test.go": "package a\n" },
  ],
  [
    "a git dependency",
    "unsupported-dependency",
    /git\+https/u,
    {
      ...good,
      "package.json": dependsOn({ plain: "git+https://forge.invalid/a/plain.git" }),
      "package-lock.json": lockOf({ plain: "git+https://forge.invalid/a/plain.git" }, { version: "1.0.0" }),
    },
  ],
  [
    "a tarball that hides behind https",
    "unsupported-dependency",
    /plain@1\.0\.0/u,
    {
      ...good,
      "package.json": dependsOn({ plain: "1.0.0" }),
      "package-lock.json": lockOf(
        { plain: "1.0.0" },
        { version: "1.0.0", resolved: "https://files.invalid/plain.tgz", integrity: "sha512-AAAA" },
      ),
    },
  ],
  [
    "a Git LFS file that the tests need",
    "repository-incomplete",
    /data\.bin is only a pointer/u,
    {
      ...good,
      "a.test.js":
        'require("node:test").test("reads", () => { if (require("fs").statSync("data.bin").size !== 3) throw Error("no"); });\n',
      ".gitattributes": "*.bin filter=lfs\n",
      "data.bin": pointer,
    },
  ],
  [
    "a submodule that the tests need",
    "repository-incomplete",
    /vendor\/lib/u,
    { ...good, "a.test.js": 'require("./vendor/lib/index.js");\n' },
    { submodule: "vendor/lib" },
  ],
  [
    "a package manager that has another lockfile than it names",
    "lockfile-missing",
    /package-lock\.json/u,
    {
      ...good,
      "package.json": dependsOn({ plain: "1.0.0" }, { packageManager: "npm@11.0.0" }),
      "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    },
  ],
  [
    "a node that nobody has",
    "toolchain-mismatch",
    /99/u,
    { ...good, "package.json": manifest({ engines: { node: ">=99" } }) },
  ],
  ["tests that are all red", "base-not-green", /0 passed/u, { ...good, "a.test.js": 'throw Error("no")\n' }],
  ["no tests", "base-without-tests", /npm test/u, { "package.json": manifest() }],
];

for (const [what, code, says, files, more] of declined)
  test(`[I2] ${what} is declined with its reason and a remedy, exit 1`, async () => {
    const { ran, report } = await preflight(repository(files, more?.submodule));
    expect([ran.error, ran.exit, report.outcome]).toEqual([null, 1, "no-fit"]);
    const reason = report.reasons.find((one) => one.code === code);
    expect(report.reasons.map((one) => one.code)).toContain(code);
    expect(`${reason?.subject ?? ""} ${reason?.detail ?? ""}`).toMatch(says);
    expect(reason?.remedy).not.toBe("");
  });

test("a repository that fits says grade, seconds and counts, exit 0, and nothing is written to it", async () => {
  const place = repository({ ...good, "b.bin": pointer, ".gitattributes": "*.bin filter=lfs\n" }, "docs/theme");
  const refs = plainGit(place, "for-each-ref");
  const { ran, report } = await preflight(place);
  expect([ran.exit, report.outcome, report.reasons]).toEqual([0, "fit", []]);
  expect(report.steps.map(({ step, state }) => `${step} ${state}`)).toEqual(
    ["clone", "admit", "toolchain", "bootstrap", "baseline"].map((step) => `${step} done`),
  );
  expect(report.steps.every(({ seconds }) => seconds !== null)).toBe(true);
  expect(report.baseline).toMatchObject([{ command: "npm test", runner: "node-test", exit: 0, passed: 1, failed: 0 }]);
  expect(report.grade?.best).toMatch(/^[ABC]$/u);
  expect(report.limits.join()).toMatch(/docs\/theme.*b\.bin/u);
  expect([plainGit(place, "for-each-ref"), plainGit(place, "diff", "HEAD", "--name-only", "--", "*.js")]).toEqual([
    refs,
    "",
  ]);
  const told = await stage.run(stage.home, ["preflight", place, "--quiet"]);
  expect(told.stdout).toMatch(/^Fit: [^\n]+ at main/u);
});

test("[I5] what was fit and is not as it was is drift: programs, tests, grade", async () => {
  const place = repository({ ...good, "b.test.js": passing.replace("adds", "subtracts") });
  expect((await preflight(place)).report.drift).toEqual([]);
  rmSync(path.join(place, "b.test.js"));
  plainGit(place, "commit", "-q", "-a", "-m", "one test less");
  const { report } = await preflight(place);
  expect(report.drift.map(({ what }) => what)).toEqual(["base commit", "base: npm test"]);
  expect(report.drift[1]).toMatchObject({
    was: expect.stringContaining("2 passed") as string,
    now: expect.stringContaining("1 passed") as string,
  });
});

test("the caller's contract is the one that counts, and one that asks for nothing new is declined", async () => {
  const place = repository(good);
  stage.write({ "vacuous.json": JSON.stringify({ tests: [{ command: "node --test", passed: 1 }] }) });
  const { ran, report } = await preflight(place, "--contract", "vacuous.json");
  expect([ran.exit, report.contract.source, report.reasons.map((one) => one.code)]).toEqual([
    1,
    "given",
    ["contract-vacuous"],
  ]);
});

test("what cannot be read at all is an error, exit 2, and no account", async () => {
  const ran = await stage.run(stage.home, ["preflight", "./absent", "--json"]);
  expect([ran.exit, ran.error]).toEqual([2, "repository-unreachable"]);
});
