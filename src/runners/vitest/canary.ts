import { plantJavaScript, type PlantDialect } from "../../core/canary/index.ts";
import type { PlantRequest } from "../../core/test-report/index.ts";

const dialect: PlantDialect = {
  bind: ({ suite, test, equal }) =>
    `import { describe as ${suite}, it as ${test}, expect as ${equal}_value } from "vitest"; function ${equal}(a, b) { ${equal}_value(a).toBe(b); }`,
};

/** A vitest file with must-fail tests planted; vitest files are modules, whatever they look like. */
export function plantVitestCanary({ path, text, planted, seed }: PlantRequest): string | null {
  return plantJavaScript({ path, text }, planted, { dialect, seed });
}

/** Whether the command runs only tests of some titles. */
export function filtersVitestTitles(args: readonly string[]): boolean {
  return args.some((word) => /^(?:-t|--test-?name-?pattern)(?:=|$)/iu.test(word));
}
