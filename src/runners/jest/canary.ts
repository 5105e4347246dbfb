import { plantJavaScript, type PlantDialect } from "../../core/canary/index.ts";
import type { PlantRequest } from "../../core/test-report/index.ts";

/*
 * Function declarations, since they hold before the line that they stand on; with defaults instead of types, and all of them
 * used, so that a transform that checks types under the strictest settings takes them too.
 */
const ofGlobals: PlantDialect = {
  bind: ({ suite, test, equal }) => bound({ suite, test, equal }, { suite: "describe", test: "it", value: "expect" }),
};

const ofImport: PlantDialect = {
  bind: ({ suite, test, equal }, kind) => {
    if (kind === "script") {
      const taken = (name: string): string => `require("@jest/globals").${name}`;
      return bound({ suite, test, equal }, { suite: taken("describe"), test: taken("it"), value: taken("expect") });
    }
    const own = { suite: `${suite}_value`, test: `${test}_value`, value: `${equal}_value` };
    const line = `import { describe as ${own.suite}, it as ${own.test}, expect as ${own.value} } from "@jest/globals";`;
    return `${line} ${bound({ suite, test, equal }, own)}`;
  },
};

function bound(
  names: { readonly suite: string; readonly test: string; readonly equal: string },
  own: { readonly suite: string; readonly test: string; readonly value: string },
): string {
  return [
    `function ${names.suite}(a = "", b = () => {}) { ${own.suite}(a, b); }`,
    `function ${names.test}(a = "", b = () => {}) { ${own.test}(a, b); }`,
    `function ${names.equal}(a = "", b = "") { ${own.value}(a).toBe(b); }`,
    `void [${names.suite}, ${names.test}, ${names.equal}];`,
  ].join(" ");
}

/** A jest file with must-fail tests planted, which take jest's functions as the file itself does: as globals or by name. */
export function plantJestCanary({ path, text, planted, seed }: PlantRequest): string | null {
  const dialect = text.includes("@jest/globals") ? ofImport : ofGlobals;
  return plantJavaScript({ path, text }, planted, { dialect, seed });
}

/** Whether the command runs only tests of some titles. */
export function filtersJestTitles(args: readonly string[]): boolean {
  return args.some((word) => /^(?:-t|--test-?name-?pattern)(?:=|$)/iu.test(word));
}
