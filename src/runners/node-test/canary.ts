import { plantJavaScript, type PlantDialect } from "../../core/canary/index.ts";
import type { PlantRequest } from "../../core/test-report/index.ts";

/** Functions and imports are there before the file's first line runs: suites of node:test run their bodies at once. */
const dialect: PlantDialect = {
  bind: ({ suite, test, equal }, kind) =>
    kind === "module"
      ? `import { describe as ${suite}, test as ${test} } from "node:test"; import ${equal}_value from "node:assert"; function ${equal}(a, b) { ${equal}_value.strictEqual(a, b); }`
      : `function ${suite}(a, b) { return require("node:test").describe(a, b); } function ${test}(a, b) { return require("node:test").test(a, b); } function ${equal}(a, b) { require("node:assert").strictEqual(a, b); }`,
};

/** A file of node:test with must-fail tests planted, be it a module or a script. */
export function plantNodeTestCanary({ path, text, planted, seed }: PlantRequest): string | null {
  return plantJavaScript({ path, text }, planted, { dialect, seed });
}

/** Whether the command runs only tests of some titles. */
export function filtersNodeTestTitles(args: readonly string[]): boolean {
  return args.some((word) => /^--test-(?:name|skip)-pattern(?:=|$)/u.test(word));
}
