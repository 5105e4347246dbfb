import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeReport, outcomeOfReport, unreadReport, type JudgedReport } from "../core/test-report/index.ts";
import { readReport } from "./read-report.ts";

/** Every sample that a real runner wrote, the exit code beside it, and what must be found: file, exit, outcome, codes. */
const table = `
vitest/v1/01-ok.json 0 undetermined runner-hides-errors
vitest/v1/02-one-fail.json 1 failed tests-failed runner-hides-errors
vitest/v1/03-suite-load-error.json 1 failed file-reported-nothing files-failed runner-hides-errors
vitest/v1/04-throw-top-level.json 1 failed file-reported-nothing files-failed runner-hides-errors
vitest/v1/05-unhandled-rejection.json 0 undetermined runner-hides-errors
vitest/v1/06-uncaught-after-end.json 0 undetermined runner-hides-errors
vitest/v1/07-empty-file.json 1 failed file-reported-nothing files-failed runner-hides-errors
vitest/v1/10-only-left-in.json 0 failed counts-differ not-plain-passes runner-hides-errors
vitest/v1/11-skip-todo.json 0 failed counts-differ not-plain-passes runner-hides-errors
vitest/v1/12-retry-flaky.json 0 undetermined not-plain-passes runner-hides-errors
vitest/v1/13-test-fails.json 0 undetermined runner-hides-errors
vitest/v1/14-bail.json 1 failed counts-differ tests-failed tests-unfinished runner-hides-errors
vitest/v1/15-dup-names.json 0 undetermined runner-hides-errors same-names
vitest/v1/16-process-exit-0.json 1 failed tests-failed runner-hides-errors
vitest/v1/19-beforeAll-fails.json 1 failed counts-differ files-failed tests-unfinished runner-hides-errors
vitest/v1/20-afterAll-fails.json 1 failed files-failed runner-hides-errors
vitest/v1/21-obsolete-snapshot.json 0 undetermined runner-hides-errors
vitest/v1/24-name-filter.json 0 failed counts-differ not-plain-passes runner-hides-errors
vitest/v2/01-ok.json 0 passed
vitest/v2/02-one-fail.json 1 failed tests-failed
vitest/v2/03-suite-load-error.json 1 failed file-reported-nothing files-failed
vitest/v2/04-throw-top-level.json 1 failed file-reported-nothing files-failed
vitest/v2/05-unhandled-rejection.json 1 failed exit-differs
vitest/v2/06-uncaught-after-end.json 1 failed exit-differs
vitest/v2/07-empty-file.json 1 failed file-reported-nothing files-failed
vitest/v2/10-only-left-in.json 0 undetermined not-plain-passes
vitest/v2/11-skip-todo.json 0 undetermined not-plain-passes
vitest/v2/12-retry-flaky.json 0 undetermined not-plain-passes
vitest/v2/13-test-fails.json 0 passed
vitest/v2/14-bail.json 1 failed tests-failed tests-unfinished
vitest/v2/15-dup-names.json 0 passed same-names
vitest/v2/16-process-exit-0.json 1 failed tests-failed
vitest/v2/19-beforeAll-fails.json 1 failed files-failed not-plain-passes
vitest/v2/20-afterAll-fails.json 1 failed files-failed
vitest/v2/21-obsolete-snapshot.json 0 passed
vitest/v2/24-name-filter.json 0 undetermined not-plain-passes
vitest/v3/01-ok.json 0 passed
vitest/v3/02-one-fail.json 1 failed tests-failed
vitest/v3/03-suite-load-error.json 1 failed file-reported-nothing files-failed
vitest/v3/04-throw-top-level.json 1 failed file-reported-nothing files-failed
vitest/v3/05-unhandled-rejection.json 1 failed exit-differs
vitest/v3/06-uncaught-after-end.json 1 failed exit-differs
vitest/v3/07-empty-file-no-tests.json 1 failed file-reported-nothing files-failed
vitest/v3/08-no-test-files.json 1 failed no-tests report-says-failed
vitest/v3/09-passWithNoTests.json 0 failed no-tests
vitest/v3/10-only-left-in.json 0 undetermined not-plain-passes
vitest/v3/10b-only-CI.json 1 failed tests-failed not-plain-passes
vitest/v3/11-skip-todo.json 0 undetermined not-plain-passes
vitest/v3/12-retry-flaky.json 0 undetermined not-plain-passes
vitest/v3/13-test-fails.json 0 passed
vitest/v3/14-bail.json 1 failed tests-failed tests-unfinished
vitest/v3/15-dup-names.json 0 passed same-names
vitest/v3/16-process-exit-0.json 1 failed tests-failed
vitest/v3/19-beforeAll-fails.json 1 failed files-failed not-plain-passes
vitest/v3/22-coverage-threshold.json 0 passed
vitest/v3/28-cfg-forged-reporter.json 0 failed counts-differ no-tests header-incomplete runner-hides-errors
vitest/v3/28b-test-forges-via-ppid-cmdline.json 1 failed tests-failed
vitest/v4/01-ok.json 0 passed
vitest/v4/02-one-fail.json 1 failed tests-failed
vitest/v4/03-suite-load-error.json 1 failed file-reported-nothing files-failed
vitest/v4/04-throw-top-level.json 1 failed file-reported-nothing files-failed
vitest/v4/05-unhandled-rejection.json 1 failed exit-differs
vitest/v4/06-uncaught-after-end.json 1 failed exit-differs
vitest/v4/07-empty-file.json 1 failed file-reported-nothing files-failed
vitest/v4/09-passWithNoTests.json 0 failed no-tests
vitest/v4/10-only-left-in.json 0 undetermined not-plain-passes
vitest/v4/11-skip-todo.json 0 undetermined not-plain-passes
vitest/v4/12-retry-flaky.json 0 undetermined not-plain-passes
vitest/v4/13-test-fails.json 0 passed
vitest/v4/14-bail.json 1 failed tests-failed tests-unfinished
vitest/v4/15-dup-names.json 0 passed same-names
vitest/v4/16-process-exit-0.json 1 failed tests-failed
vitest/v4/19-beforeAll-fails.json 1 failed files-failed not-plain-passes
vitest/v4/20-afterAll-fails.json 1 failed files-failed
vitest/v4/21-obsolete-snapshot.json 1 failed files-failed
vitest/v4/24-name-filter.json 0 undetermined not-plain-passes
vitest/v5/01-ok.json 0 passed
vitest/v5/02-one-fail.json 1 failed tests-failed
vitest/v5/03-suite-load-error.json 1 failed file-reported-nothing files-failed
vitest/v5/04-throw-top-level.json 1 failed file-reported-nothing files-failed
vitest/v5/05-unhandled-rejection.json 1 failed exit-differs
vitest/v5/06-uncaught-after-end.json 1 failed exit-differs
vitest/v5/07-empty-file-no-tests.json 1 failed file-reported-nothing files-failed
vitest/v5/08-no-test-files.json 1 failed no-tests report-says-failed
vitest/v5/09-passWithNoTests.json 0 failed no-tests
vitest/v5/10-only-left-in.json 0 undetermined not-plain-passes
vitest/v5/10b-only-CI.json 1 failed tests-failed not-plain-passes
vitest/v5/11-skip-todo.json 0 undetermined not-plain-passes
vitest/v5/12-retry-flaky.json 0 undetermined not-plain-passes
vitest/v5/13-test-fails.json 0 passed
vitest/v5/14-bail.json 1 failed tests-failed tests-unfinished
vitest/v5/15-dup-names.json 0 passed same-names
vitest/v5/16-process-exit-0.json 1 failed tests-failed
vitest/v5/16b-reallyExit.json 1 failed files-failed tests-unfinished
vitest/v5/18-worker-oom.json 1 failed files-failed tests-unfinished
vitest/v5/19-beforeAll-fails.json 1 failed files-failed not-plain-passes
vitest/v5/22-coverage-threshold.json 1 failed exit-differs
vitest/v5/28-cfg-forged-reporter.json 0 failed counts-differ no-tests header-incomplete runner-hides-errors
vitest/v5/28b-test-forges-via-ppid-cmdline.json 1 failed tests-failed
jest/v29/01-ok.json 0 passed
jest/v29/02-one-fail.json 1 failed tests-failed
jest/v29/03-suite-load-error.json 1 failed file-reported-nothing files-failed
jest/v29/04-throw-top-level.json 1 failed file-reported-nothing files-failed
jest/v29/05-unhandled-rejection.json 1 failed tests-failed
jest/v29/06-uncaught-after-end.json 1 failed tests-failed
jest/v29/07-empty-file.json 1 failed file-reported-nothing files-failed
jest/v29/09-passWithNoTests.json 0 failed no-tests
jest/v29/10-only-left-in.json 0 undetermined not-plain-passes
jest/v29/11-skip-todo.json 0 undetermined not-plain-passes
jest/v29/12-retry-flaky.json 0 undetermined not-plain-passes
jest/v29/13-test-fails.json 0 passed
jest/v29/14-bail.json 1 failed tests-failed
jest/v29/15-dup-names.json 0 passed same-names
jest/v29/19-beforeAll-fails.json 1 failed tests-failed
jest/v29/20-afterAll-fails.json 1 failed files-failed
jest/v29/21-obsolete-snapshot.json 1 failed snapshots-failed
jest/v29/24-name-filter.json 0 undetermined not-plain-passes
jest/v30/01-ok.json 0 passed
jest/v30/02-one-fail.json 1 failed tests-failed
jest/v30/03-suite-load-error.json 1 failed file-reported-nothing files-failed
jest/v30/05-unhandled-rejection.json 1 failed tests-failed
jest/v30/06-uncaught-after-end.json 1 failed tests-failed
jest/v30/06b-log-after-done.json 1 failed exit-differs
jest/v30/07-empty-file.json 1 failed file-reported-nothing files-failed
jest/v30/09-passWithNoTests.json 0 failed no-tests
jest/v30/10-only.json 0 undetermined not-plain-passes
jest/v30/11-skip-todo.json 0 undetermined not-plain-passes
jest/v30/12-retry.json 0 undetermined not-plain-passes
jest/v30/13-failing.json 0 undetermined not-plain-passes
jest/v30/14-bail.json 1 failed tests-failed
jest/v30/16c-exit-in-worker.json 1 failed file-reported-nothing files-failed
jest/v30/18-oom.json 1 failed file-reported-nothing files-failed
jest/v30/19-beforeAll.json 1 failed tests-failed
jest/v30/22-coverage-threshold.json 1 failed report-says-failed
jest/v30/28-testResultsProcessor.json 0 failed counts-differ no-tests
node-test/v20/01-ok.xml 0 passed
node-test/v20/02-fail.xml 1 failed tests-failed
node-test/v20/03-load-error.xml 1 failed files-failed
node-test/v20/05-unhandled-rejection.xml 1 failed tests-failed
node-test/v20/06-throw-after-end.xml 1 failed files-failed
node-test/v20/07-empty-file.xml 0 failed file-reported-nothing
node-test/v20/08-no-files.xml 0 failed no-tests
node-test/v20/10-only.xml 1 failed tests-failed
node-test/v20/11-skip-todo.xml 0 undetermined not-plain-passes todo-failed
node-test/v20/15-dup.xml 0 passed same-names
node-test/v20/16-exit0.xml 0 failed file-reported-nothing no-tests
node-test/v20/19-before-fails.xml 1 failed tests-failed
node-test/v22/01-ok.xml 0 passed
node-test/v22/02-fail.xml 1 failed tests-failed
node-test/v22/03-load-error.xml 1 failed files-failed
node-test/v22/05-unhandled-rejection.xml 1 failed tests-failed
node-test/v22/06-throw-after-end.xml 1 failed files-failed
node-test/v22/07-empty-file.xml 0 failed file-reported-nothing
node-test/v22/08-no-files.xml 0 failed no-tests
node-test/v22/10-only.xml 1 failed tests-failed
node-test/v22/11-skip-todo.xml 0 undetermined not-plain-passes todo-failed
node-test/v22/15-dup.xml 0 passed same-names
node-test/v22/16-exit0.xml 0 failed file-reported-nothing no-tests
node-test/v22/19-before-fails.xml 1 failed tests-failed
node-test/v24/01-ok.xml 0 passed
node-test/v24/02-fail.xml 1 failed tests-failed
node-test/v24/03-load-error.xml 1 failed files-failed
node-test/v24/05-unhandled-rejection.xml 1 failed tests-failed
node-test/v24/06-throw-after-end.xml 1 failed files-failed
node-test/v24/07-empty-file.xml 0 failed file-reported-nothing
node-test/v24/08-no-files.xml 0 failed no-tests
node-test/v24/10-only.xml 1 failed tests-failed
node-test/v24/11-skip-todo.xml 0 undetermined not-plain-passes todo-failed
node-test/v24/15-dup.xml 0 passed same-names
node-test/v24/16-exit0.xml 0 failed file-reported-nothing no-tests
node-test/v24/19-before-fails.xml 1 failed tests-failed
pytest/v7/01-ok.xml 0 passed
pytest/v7/02-fail.xml 1 failed tests-failed
pytest/v7/03-load-error.xml 2 failed files-failed no-tests
pytest/v7/03b-load-error-continue.xml 1 failed files-failed
pytest/v7/05-thread-exc.xml 0 passed
pytest/v7/08-none.xml 5 failed no-tests
pytest/v7/11-skip-xfail-xpass.xml 1 failed tests-failed not-plain-passes
pytest/v7/15-dup.xml 0 passed
pytest/v7/16b-sys-exit0.xml 1 failed tests-failed
pytest/v7/16c-pytest-exit0.xml 0 failed exit-differs report-says-passed tests-unfinished
pytest/v7/19-fixture-setup.xml 1 failed tests-failed
pytest/v7/28-conftest-forge.xml 0 passed
pytest/v7/28b-conftest-exitstatus.xml 0 failed exit-differs tests-failed
pytest/v7/28c-addopts-junit-sabotage.xml 5 failed no-tests
pytest/v7/28e-collect-ignore.xml 0 passed
junit/bun-01-ok.xml 0 passed
junit/bun-02-fail.xml 1 failed tests-failed
junit/bun-03-load-error.xml 1 failed exit-differs
junit/bun-05-unhandled-rejection.xml 1 failed tests-failed
junit/bun-06-throw-after-end.xml 0 passed
junit/bun-07-empty-file.xml 0 passed
junit/bun-10-only.xml 0 passed
junit/bun-11-skip-todo.xml 0 undetermined not-plain-passes
junit/bun-15-dup.xml 0 passed same-names
junit/bun-19-before-fails.xml 1 failed tests-failed
junit/cargo-junit.xml 101 undetermined report-unreadable
junit/jest-junit-03-suite-load-error.xml 1 failed exit-differs
junit/vitest-03.xml 1 failed tests-failed
junit/vitest-05.xml 1 failed tests-failed
`;

/**
 * Runs that were bad and whose report, with exit 0 beside it, shows nothing of it. They are why a passing report still
 * says what it cannot show; a row that leaves this list is progress, one that enters it is a hole.
 */
const unseen = `
vitest/v2/21-obsolete-snapshot.json
vitest/v3/22-coverage-threshold.json
pytest/v7/05-thread-exc.xml
pytest/v7/15-dup.xml
pytest/v7/28-conftest-forge.xml
pytest/v7/28e-collect-ignore.xml
junit/bun-06-throw-after-end.xml
junit/bun-07-empty-file.xml
junit/bun-10-only.xml
`;

const rows = table
  .trim()
  .split("\n")
  .map((line) => {
    const [file = "", exit = "", outcome = "", ...codes] = line.split(" ");
    return { file, exit: Number(exit), outcome, codes };
  });

function pathOf(file: string): string {
  const [dialect = "", ...rest] = file.split("/");
  return join(import.meta.dirname, dialect, "samples", ...rest);
}

function judge(file: string, exit: number | null): JudgedReport {
  const reading = readReport(readFileSync(pathOf(file)), { runner: null, root: "/repo" });
  if (reading.kind === "unread") return unreadReport(reading.code, reading.subject);
  return judgeReport({
    content: reading.content,
    exit: exit === null ? null : { code: exit, error: null, signal: null },
    since: null,
    writtenAt: 0,
    allowOther: 0,
  });
}

describe("what real reports say", () => {
  it("every sample has a row", () => {
    const files = ["vitest", "jest", "node-test", "pytest", "junit"].flatMap((dialect) =>
      readdirSync(join(import.meta.dirname, dialect, "samples"), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:json|xml)$/u.test(name))
        .map((name) => `${dialect}/${name}`),
    );
    expect(rows.map((row) => row.file).toSorted()).toEqual(files.toSorted());
  });

  it.each(rows)("$file, exit $exit: $outcome", ({ file, exit, outcome, codes }) => {
    const { findings } = judge(file, exit);
    expect(findings.map((finding) => finding.code)).toEqual(codes);
    expect(outcomeOfReport(findings)).toBe(outcome);
  });

  it("[E7] no sample of a bad run passes, save those that show nothing of it", () => {
    const good = /(?:01-ok|13-test-fails|15-dup(?:-names)?)\.(?:json|xml)$/u;
    const passed = rows.filter(({ file, exit }) => outcomeOfReport(judge(file, exit).findings) === "passed");
    expect(
      passed.filter(({ file }) => !good.test(file) || file.startsWith("pytest/v7/15")).map((row) => row.file),
    ).toEqual(unseen.trim().split("\n"));
  });

  it("[E7] no report passes without an exit code", () => {
    for (const { file } of rows) expect(outcomeOfReport(judge(file, null).findings), file).not.toBe("passed");
  });

  it("[E7] no report that does not pass with its exit code passes with another", () => {
    for (const { file, outcome, codes } of rows) {
      if (outcome === "passed" || codes.join() === "exit-differs") continue;
      for (const exit of [0, 1]) expect(outcomeOfReport(judge(file, exit).findings), file).not.toBe("passed");
    }
  });
});
