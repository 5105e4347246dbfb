/** `node-test` as `nodeTest`. */
const camel = (name: string): string => name.replace(/-([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => camel(name).replace(/^[a-z]/u, (letter) => letter.toUpperCase());

/** The files of a new runner's folder, by name. */
export const runnerFiles = (name: string): Readonly<Record<string, string>> => ({
  [`${name}.ts`]: runner(name),
  "launch.ts": launch(name),
  "launch.test.ts": launchTest(name),
  "conditions.ts": conditions(name),
  "conditions.test.ts": conditionsTest(name),
  "dialect.ts": dialect(name),
  "dialect.test.ts": dialectTest(name),
  "samples/.gitkeep": "",
});

const runner = (name: string): string => `import type { TestRunner } from "../../core/test-report/index.ts";
import { read${pascal(name)}Conditions } from "./conditions.ts";
import { decode${pascal(name)}Report } from "./dialect.ts";
import { ${camel(name)}FileFilters, plan${pascal(name)}Launch, refuse${pascal(name)}Version } from "./launch.ts";

/** ${name}: say here in which process its test files run, and where the witness is. */
export const ${camel(name)}Runner: TestRunner = {
  name: "${name}",
  packageName: "${name}",
  bin: "${name}",
  refuseVersion: refuse${pascal(name)}Version,
  fileFilters: ${camel(name)}FileFilters,
  planLaunch: plan${pascal(name)}Launch,
  readConditions: read${pascal(name)}Conditions,
  decodeReport: decode${pascal(name)}Report,
};
`;

const launch = (
  name: string,
): string => `import type { LaunchPlan, LaunchRequest } from "../../core/test-report/index.ts";

/** Why a version of ${name} cannot be witnessed, or null. */
export function refuse${pascal(name)}Version(version: string): string | null {
  return \`${name} \${version}; no version can be witnessed yet\`;
}

/** The words that ${name} takes as file filters. */
export function ${camel(name)}FileFilters(args: readonly string[]): readonly string[] {
  return args.filter((word) => !word.startsWith("-"));
}

/** The whole command for ${name}: the witness first, our options, the user's, then the file filters. */
export function plan${pascal(name)}Launch(request: LaunchRequest): LaunchPlan {
  return { kind: "unsupported-version", detail: refuse${pascal(name)}Version(request.version) ?? request.version };
}
`;

const launchTest = (name: string): string => `import { expect, test } from "vitest";
import { refuse${pascal(name)}Version } from "./launch.ts";

test.each(["0.0.1", "1.0.0", "99.0.0", ""])("version %j is not launched", (version) => {
  expect(refuse${pascal(name)}Version(version)).toContain("${name}");
});
`;

const conditions = (
  name: string,
): string => `import type { InitMessage, RunnerConditions, StartMessage } from "../../core/test-report/index.ts";

/** What ${name}'s frames prove of how it ran: until that is written, nothing. */
export function read${pascal(name)}Conditions(init: InitMessage, start: StartMessage | null): RunnerConditions {
  const seen = \`\${init.runner.name}, \${start?.modules.length ?? 0} files\`;
  return { faults: [{ code: "isolation-not-seen", detail: seen }], assertionsRequired: false, roots: [] };
}
`;

const conditionsTest = (name: string): string => `import { expect, test } from "vitest";
import { read${pascal(name)}Conditions } from "./conditions.ts";

test("isolation that was not seen is a fault", () => {
  const init = { type: "init", version: 1, runner: { name: "${name}", version: "1.0.0" }, projects: [] } as const;
  const { faults } = read${pascal(name)}Conditions({ ...init, projects: [] }, null);
  expect(faults.map((fault) => fault.code)).toEqual(["isolation-not-seen"]);
});
`;

const dialect = (name: string): string => `import type { RunnerReport } from "../../core/test-report/index.ts";

/** Decodes ${name}'s own report; a string says why it cannot be read. \`root\` is the repository inside the sandbox. */
export function decode${pascal(name)}Report(bytes: Uint8Array, root: string): RunnerReport | string {
  return \`a report of \${bytes.length} bytes below \${root} cannot be read yet\`;
}
`;

const dialectTest = (name: string): string => `import { expect, test } from "vitest";
import { decode${pascal(name)}Report } from "./dialect.ts";

test("nothing that is not whole is a report", () => {
  expect(typeof decode${pascal(name)}Report(new Uint8Array(), "/repo")).toBe("string");
});
`;
