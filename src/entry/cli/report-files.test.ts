import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

const passed = JSON.stringify({
  numTotalTests: 1,
  numPassedTests: 1,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numTotalTestSuites: 1,
  numPassedTestSuites: 1,
  numFailedTestSuites: 0,
  numPendingTestSuites: 0,
  success: true,
  startTime: 1_700_000_000_000,
  snapshot: {},
  testResults: [
    {
      name: "/repo/a.test.ts",
      status: "passed",
      message: "",
      startTime: 1,
      endTime: 2,
      assertionResults: [
        {
          ancestorTitles: [],
          fullName: "one",
          status: "passed",
          title: "one",
          duration: 1,
          failureMessages: [],
          meta: {},
        },
      ],
    },
  ],
});

describe("--report", () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(path.join(tmpdir(), "trueup-report-"));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  beforeEach(() => writeFileSync(path.join(home, "report.json"), passed));

  async function run(...argv: readonly string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
    const kept = { stdout: "", stderr: "" };
    const sink = (name: "stdout" | "stderr"): Writable =>
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          kept[name] += chunk.toString("utf8");
          done();
        },
      });
    const { signal } = new AbortController();
    const exit = await runCli(["test-report", "report.json", ...argv], {
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      env: {},
      cwd: home,
      signal,
    });
    return { exit, ...kept };
  }
  const read = (name: string): string => readFileSync(path.join(home, name), "utf8");

  test("several reports are written beside the ordinary output, and the exit code stays", async () => {
    const { exit, stdout } = await run("--exit", "1", "--report", "sarif=a.sarif", "--report", "junit=a.xml");
    expect([exit, stdout]).toEqual([1, expect.stringContaining("exit-differs")]);
    expect(JSON.parse(read("a.sarif"))).toMatchObject({ runs: [{ results: [{ ruleId: "exit-differs" }] }] });
    expect(read("a.xml")).toContain('<testsuite name="verdict" tests="1" failures="1"');
  });

  test("one on standard output stands there alone", async () => {
    const { exit, stdout } = await run("--exit", "0", "--report", "ctrf=-");
    expect([exit, (JSON.parse(stdout) as { reportFormat: string }).reportFormat]).toEqual([0, "CTRF"]);
  });

  test("a summary is added to what other steps wrote", async () => {
    writeFileSync(path.join(home, "summary.md"), "before\n");
    await run("--exit", "0", "--report", "github-summary=summary.md");
    expect(read("summary.md")).toMatch(/^before\n### Trueup: ✅ passed\n/u);
  });

  test("an old report does not outlive a run that ends early, to be read as this one's", async () => {
    writeFileSync(path.join(home, "old.xml"), "<testsuites/>");
    rmSync(path.join(home, "report.json"));
    expect((await run("--report", "junit=old.xml")).exit).toBe(2);
    expect(() => read("old.xml")).toThrow(/ENOENT/u);
  });

  test.each([
    ["an unknown format", ["--report", "html=a.html"], "usage"],
    ["no file", ["--report", "sarif="], "usage"],
    ["no format", ["--report", "a.sarif"], "usage"],
    ["two on standard output", ["--report", "sarif=-", "--report", "ctrf=-"], "usage"],
    ["one on standard output beside --json", ["--report", "sarif=-", "--json"], "usage"],
    ["a directory that is not there", ["--report", "sarif=none/a.sarif"], "report-unwritable"],
    ["a directory in the report's place", ["--report", "sarif=."], "report-unwritable"],
  ])("%s is refused before anything is read", async (_name, argv, code) => {
    const { exit, stdout, stderr } = await run("--exit", "0", ...argv);
    expect(exit).toBe(2);
    expect(stdout + stderr).toContain(code);
  });
});
