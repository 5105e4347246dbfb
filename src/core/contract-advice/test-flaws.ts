import { notBuiltKeys, parseCommand, type AcceptanceContract, type TestsEntry } from "../contract/index.ts";
import { doubtful, fatal, type BaseView, type ContractFlaw } from "./contract-flaw.ts";

/** What the contract demands of tests, as far as that is seen without running one. */
export function testFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  const tests = contract.tests ?? [];
  return [
    ...demandFlaws(contract),
    ...tests.flatMap((entry, index) => directionFlaws(contract, entry, `tests[${index}]`)),
    ...notBuiltKeys(contract).map(({ key, reason }) =>
      fatal("not-evaluated", key, `${reason}: the verdict can only be undetermined`),
    ),
    ...prepareFlaws(contract, base),
    ...cwdFlaws(contract, base),
    ...scriptFlaws(contract, base),
  ];
}

function isBehaviour(contract: AcceptanceContract): boolean {
  return (contract.intent ?? "behaviour") === "behaviour";
}

function demandFlaws(contract: AcceptanceContract): readonly ContractFlaw[] {
  const { tests = [], held_out_tests: hidden = [] } = contract;
  if (!isBehaviour(contract) || hidden.length > 0) return [];
  if (tests.length === 0)
    return [fatal("no-tests", "tests", "a contract about behaviour demands no test; add one, or say another intent")];
  return tests.some(asksForNew)
    ? []
    : [fatal("nothing-new-asked", "tests", "no entry demands a new test: give passed, added or names")];
}

function asksForNew(entry: TestsEntry): boolean {
  return entry.passed !== undefined || (entry.added ?? 0) > 0 || entry.names !== undefined;
}

function directionFlaws(contract: AcceptanceContract, entry: TestsEntry, key: string): readonly ContractFlaw[] {
  return [
    ...(isBehaviour(contract) && entry.red_on_base === "none"
      ? [
          doubtful(
            "no-red-demand",
            `${key}.red_on_base`,
            "new tests need not fail on base, so they need not test the change",
          ),
        ]
      : []),
    ...(entry.keep_base === false
      ? [
          doubtful(
            "keeps-nothing",
            `${key}.keep_base`,
            "tests of base may vanish or fail unnoticed; name them in retired",
          ),
        ]
      : []),
  ];
}

/** Scripts that npm runs by itself before tests, and the clean room does not. */
const builders = ["pretest", "prepare"] as const;

/** A build step that npm would run: what it calls, or null. Setting up git hooks builds nothing. */
export function buildScripts(scripts: Readonly<Record<string, string>> | null): readonly string[] {
  return builders.filter((name) => {
    const text = scripts?.[name];
    return (
      text !== undefined && text.trim() !== "" && !/\b(?:husky|lefthook|simple-git-hooks|patch-package)\b/u.test(text)
    );
  });
}

function prepareFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  if (contract.prepare !== undefined || (contract.tests ?? []).length === 0) return [];
  return buildScripts(base.scripts).map((name) =>
    doubtful(
      "prepare-missing",
      "prepare",
      `the script ${name} is not run here; if tests need it: {"command": "npm run ${name}"}`,
    ),
  );
}

function cwdFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  const lists = ["tests", "prepare", "commands", "held_out_tests"] as const;
  return lists.flatMap((list) =>
    (contract[list] ?? []).flatMap(({ cwd }, index) => {
      const known = cwd === undefined || cwd === "." || base.paths.some((path) => path.startsWith(`${cwd}/`));
      return known ? [] : [fatal("cwd-missing", `${list}[${index}].cwd`, `there is no directory ${cwd} on base`)];
    }),
  );
}

/** Steps that call a script the root manifest does not have. */
function scriptFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  return (["prepare", "commands"] as const).flatMap((list) =>
    (contract[list] ?? []).flatMap(({ command, cwd }, index) => {
      const words = parseCommand(command);
      const [program = "", verb = "", name = ""] = words.ok ? words.argv : [];
      if ((cwd ?? ".") !== "." || !["npm", "pnpm", "yarn"].includes(program) || verb !== "run") return [];
      return base.scripts?.[name] === undefined
        ? [fatal("command-unresolved", `${list}[${index}].command`, `package.json has no script ${name}`)]
        : [];
    }),
  );
}
