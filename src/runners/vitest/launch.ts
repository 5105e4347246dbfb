import { runnerTable } from "../../core/contract/runner-table.ts";
import type { LaunchPlan, LaunchRequest } from "../../core/test-report/index.ts";

/** The majors whose reporter interface the witness speaks. */
const majors = [1, 2, 3, 4, 5];

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The three numbers of an installed version, null for anything else; what follows them says nothing here. */
function parseVersion(version: string): Version | null {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/u.exec(version) ?? [];
  return patch === undefined ? null : { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** True for a flag of the policy's table that takes its value from the next word. */
function takesNextWord(word: string): boolean {
  if (word.includes("=")) return false;
  const name = word.replace(/(?<=\w)-([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
  const flags = runnerTable.find((row) => row.name === "vitest")?.flags ?? [];
  return flags.some((flag) => flag.names.includes(name) && flag.takes !== "bare");
}

/** Sorts checked arguments into options, each one word, and file filters. */
function splitArgs(args: readonly string[]): {
  readonly options: readonly string[];
  readonly filters: readonly string[];
} {
  const options: string[] = [];
  const filters: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (!word.startsWith("-")) filters.push(word);
    else if (!takesNextWord(word)) options.push(word);
    else {
      index += 1;
      options.push(`${word}=${args[index] ?? ""}`);
    }
  }
  return { options, filters };
}

/** Our options, the same in every run: processes, isolation, no retries, no snapshot writing, no cache on disk. */
function ourOptions(request: LaunchRequest, { major, minor, patch }: Version): string[] {
  return [
    "--watch=false",
    "--pool=forks",
    "--isolate=true",
    ...(major <= 3 ? ["--poolOptions.forks.isolate=true", "--poolOptions.forks.singleFork=false"] : []),
    // vitest ends on an option it does not know; this one came with 4.0.11.
    ...(major === 4 && (minor > 0 || patch >= 11) ? ["--experimental.fsModuleCache=false"] : []),
    ...(major === 5 ? ["--fsModuleCache=false"] : []),
    "--retry=0",
    "--bail=0",
    "--allowOnly=false",
    "--passWithNoTests=false",
    "--dangerouslyIgnoreUnhandledErrors=false",
    "--update=false",
    "--coverage.enabled=false",
    "--ui=false",
    "--api=false",
    "--open=false",
    // vitest 1 has no such option on its command line.
    ...(request.assertionsRequired && major >= 2 ? ["--expect.requireAssertions=true"] : []),
    // First, so that it has said its end before another one fails: vitest 5 on node 20 throws where it prints a red test.
    `--reporter=${request.witness}/${major <= 2 ? "vitest-classic-reporter" : "vitest-reporter"}.mjs`,
    // For people only; nothing is read from what it prints.
    "--reporter=default",
    // vitest 1 counts skipped tests as passed in its own report: it says nothing that could be compared.
    ...(major === 1 ? [] : ["--reporter=json", `--outputFile.json=${request.report}`]),
  ];
}

/** A path as a glob that matches only itself. */
function globOf(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/gu, (sign) => `\\${sign}`);
}

/** One option a file; vitest 1 takes a single one, in which a comma would part two globs. */
function excludeOptions(files: readonly string[], { major }: Version): readonly string[] {
  const globs = files.map(globOf);
  if (major > 1 || globs.length < 2) return globs.map((glob) => `--exclude=${glob}`);
  return [`--exclude={${globs.filter((glob) => !glob.includes(",")).join(",")}}`];
}

const withoutRun = (args: readonly string[]): readonly string[] => (args[0] === "run" ? args.slice(1) : args);

/** The words that vitest takes as file filters. */
export function vitestFileFilters(args: readonly string[]): readonly string[] {
  return splitArgs(withoutRun(args)).filters;
}

/** The command's options, held to exactly these files. */
export function pinVitestFiles(args: readonly string[], files: readonly string[]): readonly string[] {
  return ["run", ...splitArgs(withoutRun(args)).options, ...files];
}

/** Why a version of vitest cannot be witnessed, or null. */
export function refuseVitestVersion(version: string): string | null {
  const major = parseVersion(version)?.major;
  if (major === undefined || !majors.includes(major)) return `vitest ${version}; 1 to 5 can be witnessed`;
  return version === "4.0.0" ? "vitest 4.0.0 loads no reporter by its path; 4.0.1 and later do" : null;
}

/**
 * The whole command for vitest: node, the witness's preload, vitest's own script, `run` whether or not it was
 * written, our options, the user's, then the file filters. Versions the witness does not speak are not launched.
 */
export function planVitestLaunch(request: LaunchRequest): LaunchPlan {
  const version = parseVersion(request.version);
  const refused = refuseVitestVersion(request.version);
  if (version === null || refused !== null) return { kind: "unsupported-version", detail: refused ?? request.version };
  const { options, filters } = splitArgs(withoutRun(request.args));
  const excluded = excludeOptions(request.exclude, version);
  const start = [request.node, "--require", `${request.witness}/pre.cjs`, request.bin, "run"];
  return { kind: "launch", argv: [...start, ...ourOptions(request, version), ...excluded, ...options, ...filters] };
}
