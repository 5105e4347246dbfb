import { builtRunners, parseTestCommand, type TestsEntry } from "../contract/index.ts";

/** What a repository's root shows of its tests. */
export interface ShownTests {
  /** `scripts` of the root manifest; null where there is no manifest. */
  readonly scripts: Readonly<Record<string, string>> | null;
  /** Names of everything the root manifest depends on. */
  readonly dependencies: ReadonlySet<string>;
  /** Every path of the tree. */
  readonly paths: ReadonlySet<string>;
}

export type DerivedTests =
  | { readonly ok: true; readonly entry: TestsEntry }
  | {
      readonly ok: false;
      readonly code: "runner-unknown" | "contract-missing";
      readonly subject: string;
      readonly detail: string;
    };

const otherRunners = [
  ...["mocha", "ava", "tap", "tape", "uvu", "jasmine", "karma", "cypress", "playwright", "wtr", "lab", "qunit"],
  ...["bun test", "deno test"],
] as const;

/** They start what runs the tests, which may be a runner we know. */
const taskRunners = ["turbo", "nx", "lerna", "wireit", "grunt", "gulp"] as const;

/** Files that stand for a language whose tests this version does not run. */
const otherLanguages: Readonly<Record<string, string>> = {
  "go.mod": "go test",
  "Cargo.toml": "cargo test",
  "pom.xml": "mvn test",
  "build.gradle": "gradle test",
  "build.gradle.kts": "gradle test",
  Gemfile: "rspec",
  "composer.json": "phpunit",
  "mix.exs": "mix test",
};

const pythonFiles = ["pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "conftest.py", "setup.py"];

/**
 * Guesses how a repository's tests are run, for a preflight without a contract: a script that is one plain runner command,
 * a command of a script of several, the runner that the manifest depends on, or pytest. A delivery never guesses.
 */
export function deriveTests(shown: ShownTests): DerivedTests {
  if (shown.scripts !== null) return deriveFromManifest(shown.scripts, shown.dependencies);
  const language = Object.keys(otherLanguages).find((file) => shown.paths.has(file));
  const python = pythonFiles.some((file) => shown.paths.has(file)) || [...shown.paths].some(isPythonTest);
  if (python) return found("pytest");
  if (language === undefined) return nothing("the repository", "no manifest at its root and no python tests");
  return {
    ok: false,
    code: "runner-unknown",
    subject: otherLanguages[language] ?? "",
    detail: `${language} is at the root`,
  };
}

function isPythonTest(path: string): boolean {
  return /(?:^|\/)test_[^/]*\.py$/u.test(path);
}

function deriveFromManifest(
  scripts: Readonly<Record<string, string>>,
  dependencies: ReadonlySet<string>,
): DerivedTests {
  const names = ["test", ...Object.keys(scripts).filter((name) => /^(?:test[:-]|unit$)/u.test(name))];
  const plain = names.find((name) => isBuilt(scripts[name]));
  if (plain !== undefined) return found(plain === "test" ? "npm test" : `npm run ${plain}`);
  const part = names
    .flatMap((name) => (scripts[name] ?? "").split(/&&|;/u))
    .map((text) => text.trim())
    .find(isBuilt);
  if (part !== undefined) return found(part);
  const script = scripts["test"];
  // What the tests are run by says more than what else is installed.
  const own = otherRunners.find((runner) => startsRunner(runner, script ?? ""));
  if (own === undefined && dependencies.has("vitest")) return found("npx vitest run");
  if (own === undefined && dependencies.has("jest")) return found("npx jest");
  const text = names.map((name) => scripts[name] ?? "").join(" ; ");
  const other = own ?? [...otherRunners, ...taskRunners].find((runner) => startsRunner(runner, text));
  if (other !== undefined)
    return {
      ok: false,
      code: "runner-unknown",
      subject: other,
      detail: `the script test is ${JSON.stringify(script ?? "")}`,
    };
  return nothing(
    "package.json",
    script === undefined ? "it has no script test" : `its script test is ${JSON.stringify(script)}`,
  );
}

function startsRunner(runner: string, text: string): boolean {
  return new RegExp(`(?:^|[\\s;&|/])${runner}(?:$|[\\s;&|])`, "u").test(text);
}

function isBuilt(script: string | undefined): boolean {
  const parsed = script === undefined ? null : parseTestCommand(script);
  return parsed?.ok === true && builtRunners.includes(parsed.command.runner);
}

function found(command: string): DerivedTests {
  return { ok: true, entry: { command, keep_base: true } };
}

function nothing(subject: string, detail: string): DerivedTests {
  return { ok: false, code: "contract-missing", subject, detail };
}
