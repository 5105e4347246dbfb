import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { bin } from "./bad-input-stage.ts";

const home = mkdtempSync(path.join(tmpdir(), "trueup-large-report-"));
afterAll(() => rmSync(home, { recursive: true }));

/** Runs the program with too little memory to hold what it must not read. */
function tell(file: string, megabytes: number): { readonly exit: number | null; readonly stdout: string } {
  const node = [`--max-old-space-size=${megabytes}`];
  const env = { ...process.env, NODE_OPTIONS: node.join(" ") };
  const ended = spawnSync(process.execPath, [bin, "test-report", "--exit", "0", file], {
    cwd: home,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return { exit: ended.status, stdout: ended.stdout };
}

test("[E7] a report of 1 GiB is refused by its size, unread", () => {
  const file = path.join(home, "huge.json");
  writeFileSync(file, "{");
  truncateSync(file, 2 ** 30);
  const { exit, stdout } = tell(file, 64);
  expect(stdout).toContain("undetermined report-unreadable The report cannot be read: the report has 1073741824 bytes");
  expect(exit).toBe(3);
});

const many = 1_000_000;
const forms = [
  [
    "many.xml",
    `<testsuites><testsuite name="pytest" tests="${many}" failures="0" errors="0" skipped="0">`,
    '<testcase classname="a" name="b"/>',
    "</testsuite></testsuites>",
  ],
  [
    "many.json",
    `{"numTotalTests":${many},"numPassedTests":${many},"numFailedTests":0,"numPendingTests":0,"numTodoTests":0,"snapshot":{},"success":true,"testResults":[{"name":"/a","status":"passed","assertionResults":[{"ancestorTitles":[],"title":"a","status":"passed"}`,
    ',{"ancestorTitles":[],"title":"a","status":"passed"}',
    "]}]}",
  ],
] as const;

test.each(forms)("a million tests in %s are counted", (name, head, one, tail) => {
  const file = path.join(home, name);
  const handle = openSync(file, "w");
  const first = head.includes('"title"') ? 1 : 0;
  writeSync(handle, head);
  for (let at = first; at < many; at += 100_000) writeSync(handle, one.repeat(Math.min(100_000, many - at)));
  writeSync(handle, tail);
  closeSync(handle);
  const { exit, stdout } = tell(file, 4096);
  expect(stdout).toContain(`${many} tests: ${many} passed`);
  expect(exit).toBe(0);
});
