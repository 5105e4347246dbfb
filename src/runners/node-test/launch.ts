import type { LaunchPlan, LaunchRequest } from "../../core/test-report/index.ts";
import { splitArguments } from "../split-arguments.ts";

/** The majors whose events the witness reads; odd ones are no releases that last. */
const majors = [20, 22, 24];

/** The words that node takes as files, directories or globs; it never matches by substring. */
export function nodeTestFileFilters(args: readonly string[]): readonly string[] {
  return splitArguments("node-test", args).filters;
}

/** The command's options, held to exactly these files. */
export function pinNodeTestFiles(args: readonly string[], files: readonly string[]): readonly string[] {
  return [...splitArguments("node-test", args).options, ...files];
}

/** Why node:test of this node cannot be run with evidence, or null. */
export function refuseNodeTestVersion(version: string): string | null {
  const major = Number(/^(\d+)\.\d+\.\d+/u.exec(version)?.[1] ?? Number.NaN);
  return majors.includes(major) ? null : `node:test of node ${version}; 20, 22 and 24 can be witnessed`;
}

/**
 * The whole command for node:test: node, the witness's preload, `--test`, three reporters (for people, the witness, node's
 * own report), the user's options, then the files: node reads no flag behind a file. A process for each file is node's default, and no version has a flag for it that all others know: the witness says how it was.
 */
export function planNodeTestLaunch(request: LaunchRequest): LaunchPlan {
  const refused = refuseNodeTestVersion(request.version);
  if (refused !== null) return { kind: "unsupported-version", detail: refused };
  const { options, filters } = splitArguments("node-test", request.args);
  const reporters = [
    ["spec", "stdout"],
    [`${request.witness}/node-test-reporter.mjs`, "stderr"],
    [`${request.witness}/node-test-junit.mjs`, "stderr"],
  ].flatMap(([reporter, destination]) => [
    `--test-reporter=${reporter ?? ""}`,
    `--test-reporter-destination=${destination ?? ""}`,
  ]);
  const start = [request.bin, "--require", `${request.witness}/pre.cjs`, "--test"];
  return {
    kind: "launch",
    argv: [...start, ...reporters, ...options, ...filters],
    env: { TRUEUP_MARK: "1", TRUEUP_REPORT: request.report },
  };
}
