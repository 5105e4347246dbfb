import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testReportWords } from "../../src/reporters/test-report-words.ts";
import { expectJsonRefusal, expectRefusal, openStage, type Ended, type Stage } from "./bad-input-stage.ts";

const samples = path.join(import.meta.dirname, "../../src/runners");
const server = createServer();
let stage: Stage;

beforeAll(async () => {
  stage = openStage();
  for (const [name, sample] of [
    ["good.json", "vitest/samples/v5/01-ok.json"],
    ["bad.json", "vitest/samples/v5/02-one-fail.json"],
    ["skips.json", "jest/samples/v30/11-skip-todo.json"],
    ["pytest.xml", "pytest/samples/v7/02-fail.xml"],
  ] as const) {
    copyFileSync(path.join(samples, sample), stage.path(name));
  }
  const name = `a\u001b[31m&#10;::error::owned&#10;\u009b2J`;
  stage.write({
    "empty.json": "",
    "cut.json": '{"numTotalTests":1',
    "other.json": '{"stats":{"passes":1}}',
    "evil.xml": `<testsuites><testsuite name="pytest" tests="1" failures="1" errors="0" skipped="0"><testcase classname="c" name="${name}"><failure message="m"/></testcase></testsuite></testsuites>`,
  });
  mkdirSync(stage.path("directory"));
  spawnSync("mkfifo", [stage.path("pipe")]);
  symlinkSync("good.json", stage.path("link.json"));
  symlinkSync("pipe", stage.path("link-to-pipe"));
  symlinkSync("nowhere", stage.path("dangling"));
  await new Promise<void>((resolve) => server.listen(stage.path("socket"), resolve));
});
afterAll(() => {
  server.close();
  stage[Symbol.dispose]();
});

const tell = (...argv: readonly string[]): Promise<Ended> => stage.run(stage.home, ["test-report", ...argv]);

describe("what stands in a report's place", () => {
  test.each([
    ["pipe", "it is a pipe"],
    ["directory", "it is a directory"],
    ["/dev/zero", "it is a device or socket"],
    ["socket", "it is a device or socket"],
    ["link.json", "it is a symbolic link"],
    ["link-to-pipe", "it is a symbolic link"],
    ["dangling", "it is a symbolic link"],
  ])("[E7] %s is refused without being opened or followed, exit 2", async (file, detail) => {
    const ended = await tell("--exit", "0", file);
    expectRefusal(ended, { code: "file-unreadable", says: new RegExp(detail, "u"), hint: /a regular file/u });
    expectJsonRefusal(await tell("--exit", "0", "--json", file), "file-unreadable");
  });

  test("a file that is not there is exit 2, never a report without failures", async () => {
    const ended = await tell("--exit", "0", "nothing.json");
    expectRefusal(ended, { code: "file-not-found", says: /nothing\.json/u, hint: /path/u });
  });
});

describe("a command line that does not fit", () => {
  test.each([
    ["--runner mocha good.json", /--runner is one of vitest, jest, node-test, pytest, junit/u],
    ["--exit one good.json", /--exit is a whole number/u],
    ["--exit 256 good.json", /--exit is 0 to 255/u],
    ["--exit -1 good.json", /--exit/u],
    ["--since yesterday good.json", /--since is a time/u],
    ["--allow-other many good.json", /--allow-other is a whole number/u],
    ["", /missing required argument 'file'/u],
    ["good.json bad.json", /too many arguments/u],
  ])("trueup test-report %s", async (argv, says) => {
    expectRefusal(await tell(...argv.split(" ").filter((word) => word !== "")), {
      code: "usage",
      says,
      hint: /--help`/u,
    });
  });
});

describe("exit codes", () => {
  test.each([
    ["--exit 0 good.json", 0, "passed"],
    ["good.json", 3, "exit-unknown"],
    ["--exit 1 good.json", 1, "exit-differs"],
    ["--exit SIGKILL good.json", 1, "exit-differs"],
    ["--exit 0 bad.json", 1, "exit-differs"],
    ["bad.json", 1, "tests-failed"],
    ["--exit 1 pytest.xml", 1, "tests-failed"],
    ["--exit 0 skips.json", 3, "not-plain-passes"],
    ["--exit 0 --allow-other 2 skips.json", 3, "not-plain-passes"],
    ["--exit 0 --allow-other 3 skips.json", 0, "other-states-allowed"],
    ["--exit 0 --runner jest good.json", 3, "runner-differs"],
    ["--exit 0 --runner vitest pytest.xml", 3, "runner-differs"],
    ["--exit 0 empty.json", 3, "report-empty"],
    ["--exit 0 cut.json", 3, "report-unreadable"],
    ["--exit 0 other.json", 3, "runner-unknown"],
  ])("trueup test-report %s is exit %i and says %s", async (argv, exit, says) => {
    const ended = await tell(...argv.split(" "));
    expect([ended.exit, ended.stderr]).toEqual([exit, ""]);
    expect(ended.stdout).toContain(says);
  });

  test("[E7] a report that was written before the run began is of another run", async () => {
    const early = new Date("2020-01-01T00:00:00Z");
    copyFileSync(stage.path("good.json"), stage.path("early.json"));
    utimesSync(stage.path("early.json"), early, early);
    const ended = await tell("--exit", "0", "--since", "2020-01-02T00:00:00Z", "early.json");
    expect(ended.exit).toBe(1);
    expect(ended.stdout).toContain("block report-older");
    expect((await tell("--exit", "0", "--since", "2019-12-31T00:00:00Z", "early.json")).exit).toBe(0);
  });
});

describe("what is printed", () => {
  test("a pass says what a report cannot show", async () => {
    const { stdout } = await tell("--exit", "0", "good.json");
    expect(stdout).toContain("code of the run could have written it");
    expect(stdout).toContain("`test.fails`");
  });

  test("--json is facts, counts and findings, and nothing else", async () => {
    const told = JSON.parse((await tell("--exit", "0", "--json", "skips.json")).stdout) as Record<string, object>;
    expect(Object.keys(told)).toEqual(["facts", "counts", "findings"]);
    expect(told["counts"]).toEqual({
      passed: 1,
      failed: 0,
      skipped: 2,
      todo: 1,
      pending: 0,
      "expected-failure": 0,
      retried: 0,
      total: 4,
    });
    expect(told["findings"]).toEqual([
      { code: "not-plain-passes", severity: "undetermined", subject: "2 skipped, 1 todo (allowed 0)" },
    ]);
    expect(told["facts"]).toMatchObject({
      runner: { name: "jest" },
      exit: { code: 0 },
      reason: "unknown",
      unhandled: [],
      header: { numPassedTests: 1, success: true },
    });
  });

  test("a report that cannot be read has empty facts and a finding, never a pass", async () => {
    const told = JSON.parse((await tell("--exit", "0", "--json", "cut.json")).stdout) as Record<string, object>;
    expect(told["facts"]).toMatchObject({ runner: { name: null }, reason: "unknown", cases: [] });
    expect(told["findings"]).toEqual([
      { code: "report-unreadable", severity: "undetermined", subject: "the report is not whole JSON" },
    ]);
  });

  test("names with control codes, new lines and workflow commands are harmless in text and in JSON", async () => {
    const { stdout } = await tell("evil.xml");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/u);
    expect(stdout).not.toMatch(/^\s*::error/mu);
    const json = (await tell("--json", "evil.xml")).stdout;
    expect(json.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/u);
  });
});

describe("docs/test-report.md", () => {
  const root = path.join(import.meta.dirname, "../..");
  const text = readFileSync(path.join(root, "docs/test-report.md"), "utf8");
  const examples = [
    ...text.matchAll(/^```\n\$ trueup (?<words>.+)\n(?<printed>[^`]*(?:`[^`\n]+`[^`]*)*)\n```$/gmu),
  ].map(({ groups }) => [groups?.["words"] ?? "", groups?.["printed"] ?? ""] as const);

  test("has examples", () => {
    expect(examples).toHaveLength(3);
  });

  test.each(examples)("trueup %s prints what the page says", async (words, printed) => {
    const ended = await stage.run(root, words.split(" "));
    expect(ended.stdout.trimEnd()).toBe(printed);
  });

  test("names every finding", () => {
    const codes = Object.keys(testReportWords);
    expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });
});
