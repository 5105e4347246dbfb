import type { LaunchPlan, LaunchRequest } from "../../core/test-report/index.ts";
import { splitArguments } from "../split-arguments.ts";

/** The majors whose reporter interface the witness speaks. */
const majors = [29, 30];

const byPath = "--runTestsByPath";

/** What no command may leave to the configuration: a process for the tests, every test once, nothing written, no cache of before. */
const ourOptions = [
  // Of all settings this one alone keeps jest from running a few files in its own process; a worker with more than that is renewed.
  "--workerIdleMemoryLimit=1GB",
  "--workerThreads=false",
  "--runInBand=false",
  "--detectOpenHandles=false",
  "--watch=false",
  "--watchAll=false",
  "--watchman=false",
  "--notify=false",
  "--bail=0",
  "--passWithNoTests=false",
  "--onlyChanged=false",
  "--onlyFailures=false",
  "--updateSnapshot=false",
  "--coverage=false",
  "--cache=false",
  "--cacheDirectory=/tmp/jest-cache",
];

/** The words that jest takes as patterns for files. */
export function jestFileFilters(args: readonly string[]): readonly string[] {
  return splitArguments("jest", args).filters;
}

/** The command's options, held to exactly these files. */
export function pinJestFiles(args: readonly string[], files: readonly string[]): readonly string[] {
  const options = splitArguments("jest", args).options.filter((word) => word !== byPath);
  return [...options, byPath, ...files];
}

/** Why a version of jest cannot be witnessed, or null. */
export function refuseJestVersion(version: string): string | null {
  const major = Number(/^(\d+)\.\d+\.\d+/u.exec(version)?.[1] ?? Number.NaN);
  return majors.includes(major) ? null : `jest ${version}; 29 and 30 can be witnessed`;
}

/**
 * The whole command for jest: node, the witness's preload, jest's own script, the reporters, our options and the user's,
 * then the files. Lists come first and a plain flag last: a list takes every word behind it that is no flag.
 */
export function planJestLaunch(request: LaunchRequest): LaunchPlan {
  const refused = refuseJestVersion(request.version);
  if (refused !== null) return { kind: "unsupported-version", detail: refused };
  const { options, filters } = splitArguments("jest", request.args);
  const exact = filters.length > 0 && (request.exact === true || options.includes(byPath));
  const argv = [
    request.node,
    "--require",
    `${request.witness}/pre.cjs`,
    request.bin,
    `--reporters=${request.witness}/jest-reporter.cjs`,
    // For people only; nothing is read from what it prints.
    "--reporters=default",
    ...options.filter((word) => word !== byPath),
    ...ourOptions,
    `--outputFile=${request.report}`,
    "--json",
    ...(exact ? [byPath] : []),
    "--ci",
    ...filters,
  ];
  return { kind: "launch", argv, ...(request.assertionsRequired ? { env: { TRUEUP_ASSERTIONS: "1" } } : {}) };
}
