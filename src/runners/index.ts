import type { TestRunner } from "../core/test-report/index.ts";
import { jestRunner } from "./jest/jest.ts";
import { nodeTestRunner } from "./node-test/node-test.ts";
import { pytestRunner } from "./pytest/pytest.ts";
import { vitestRunner } from "./vitest/vitest.ts";

export { readReport, reportDialects, type ReportReading } from "./read-report.ts";
export { reportByteLimit } from "./report-bytes.ts";

/** Every test runner this version can witness. */
export const testRunners: readonly TestRunner[] = [vitestRunner, jestRunner, nodeTestRunner, pytestRunner];

/** The runner of that name, or null when this version does not know it. */
export function findRunner(name: string): TestRunner | null {
  return testRunners.find((runner) => runner.name === name) ?? null;
}
