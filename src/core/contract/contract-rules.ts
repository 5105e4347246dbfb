import { parseCommand } from "./command-words.ts";
import type { Issue } from "./issue.ts";
import { validatePath, type PathKind } from "./path-language.ts";
import type { AcceptanceContract, HeldOutEntry, StepEntry, TestsEntry } from "./schema.ts";
import { isPlainProgram, parseTestCommand } from "./test-command.ts";

const metaKeys: readonly string[] = ["$schema", "version", "intent"];
const globKeys = [
  "changed_files_only",
  "changed_files_forbidden",
  "allow_protected",
  "uncounted",
  "soft_paths",
] as const;

/** What a schema cannot say: paths stay in the repository, commands need no shell, something is asked for at all. */
export function contractRuleIssues(contract: AcceptanceContract): readonly Issue[] {
  return [
    ...emptinessIssues(contract),
    ...globKeys.flatMap((key) => pathListIssues(contract[key], key, "glob")),
    ...(contract.changed_files_within ?? []).flatMap((list, index) =>
      pathListIssues(list, `changed_files_within[${index}]`, "glob"),
    ),
    ...pathListIssues(contract.changed_files_required, "changed_files_required", "path"),
    ...(["file_contains", "file_excludes"] as const).flatMap((key) =>
      (contract[key] ?? []).flatMap((pair, index) => pathIssues(pair.path, `${key}[${index}].path`, "path")),
    ),
    ...testsIssues(contract.tests, "tests"),
    ...stepsIssues(contract.prepare, "prepare"),
    ...stepsIssues(contract.commands, "commands"),
    ...(contract.held_out_tests ?? []).flatMap((entry, index) => heldOutIssues(entry, `held_out_tests[${index}]`)),
    ...generatedIssues(contract),
    ...(contract.services ?? []).flatMap((entry, index) => [
      ...commandIssues(entry.command, `services[${index}].command`),
      ...commandIssues(entry.ready, `services[${index}].ready`),
    ]),
    ...projectIssues(contract),
  ];
}

/** A contract that says nothing would be satisfied by everything. */
function emptinessIssues(contract: AcceptanceContract): readonly Issue[] {
  const says = Object.keys(contract).some((key) => !metaKeys.includes(key));
  return says ? [] : [{ key: "contract", reason: "is empty: it asks for nothing" }];
}

function pathListIssues(paths: readonly string[] | undefined, key: string, kind: PathKind): readonly Issue[] {
  return (paths ?? []).flatMap((path, index) => pathIssues(path, `${key}[${index}]`, kind));
}

function pathIssues(path: string | undefined, key: string, kind: PathKind): readonly Issue[] {
  const fault = path === undefined ? null : validatePath(path, kind);
  return fault === null ? [] : [{ key, reason: fault }];
}

function testsIssues(tests: readonly TestsEntry[] | undefined, key: string): readonly Issue[] {
  return (tests ?? []).flatMap((entry, index) => testIssues(entry, `${key}[${index}]`));
}

function testIssues(entry: TestsEntry, key: string): readonly Issue[] {
  const asks =
    entry.passed !== undefined || entry.added !== undefined || entry.names !== undefined || entry.keep_base === true;
  return [
    ...(asks ? [] : [{ key, reason: "asks for nothing: give passed, added, names or keep_base: true" }]),
    ...testCommandIssues(entry.command, `${key}.command`),
    ...pathIssues(entry.cwd, `${key}.cwd`, "directory"),
  ];
}

function testCommandIssues(command: string, key: string): readonly Issue[] {
  const checked = parseTestCommand(command);
  return checked.ok ? [] : checked.reasons.map((reason) => ({ key, reason }));
}

function heldOutIssues(entry: HeldOutEntry, key: string): readonly Issue[] {
  const plain = isPlainProgram(entry.command);
  const counted = plain && entry.passed !== 1;
  return [
    ...pathIssues(entry.path, `${key}.path`, "path"),
    ...pathIssues(entry.cwd, `${key}.cwd`, "directory"),
    ...(plain ? [] : testCommandIssues(entry.command, `${key}.command`)),
    ...(counted
      ? [{ key: `${key}.passed`, reason: "must be 1: of a program that is no test runner only the exit code counts" }]
      : []),
  ];
}

function commandIssues(command: string, key: string): readonly Issue[] {
  const split = parseCommand(command);
  return split.ok ? [] : [{ key, reason: split.reason }];
}

function stepsIssues(steps: readonly StepEntry[] | undefined, key: string): readonly Issue[] {
  return (steps ?? []).flatMap((step, index) => stepIssues(step, `${key}[${index}]`));
}

function stepIssues(step: StepEntry, key: string): readonly Issue[] {
  return [...commandIssues(step.command, `${key}.command`), ...pathIssues(step.cwd, `${key}.cwd`, "directory")];
}

function generatedIssues(contract: AcceptanceContract): readonly Issue[] {
  return (contract.generated ?? []).flatMap((entry, index) => [
    ...pathListIssues(entry.paths, `generated[${index}].paths`, "glob"),
    ...stepIssues(entry, `generated[${index}]`),
  ]);
}

function projectIssues(contract: AcceptanceContract): readonly Issue[] {
  return (contract.projects ?? []).flatMap((entry, index) => [
    ...(entry.tests === undefined && entry.commands === undefined
      ? [{ key: `projects[${index}]`, reason: "asks for nothing: give tests or commands" }]
      : []),
    ...pathIssues(entry.root, `projects[${index}].root`, "directory"),
    ...pathIssues(entry.lockfile, `projects[${index}].lockfile`, "path"),
    ...testsIssues(entry.tests, `projects[${index}].tests`),
    ...stepsIssues(entry.commands, `projects[${index}].commands`),
  ]);
}
