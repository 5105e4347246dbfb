import type { LaunchPlan, LaunchRequest } from "../../core/test-report/index.ts";
import { splitArguments } from "../split-arguments.ts";

/** The majors whose hooks the witness knows. */
const majors = [7, 8, 9];

/** The files and directories among checked arguments; of `a.py::TestX::test_y` the file. */
export function pytestFileFilters(args: readonly string[]): readonly string[] {
  return splitArguments("pytest", args).filters.map((word) => word.split("::")[0] ?? "");
}

/** The command's options, held to exactly these files. */
export function pinPytestFiles(args: readonly string[], files: readonly string[]): readonly string[] {
  return [...splitArguments("pytest", args).options, ...files];
}

/** Why a version of pytest cannot be run with evidence, or null. */
export function refusePytestVersion(version: string): string | null {
  const major = Number(/^(\d+)\.\d+/u.exec(version)?.[1] ?? Number.NaN);
  return majors.includes(major) ? null : `pytest ${version}; 7, 8 and 9 can be witnessed`;
}

/** pytest reads `-k=x` as it reads `-k x`, not every version; so a short flag and its value are two words. */
function asWords(option: string): readonly string[] {
  const [, name, value] = /^(-[a-z])=(.*)$/su.exec(option) ?? [];
  return name === undefined || value === undefined ? [option] : [name, value];
}

/**
 * The whole command for pytest: the toolchain's python, apart from environment and current directory, the witness that
 * starts pytest, our options, the user's, then the files. Nothing is written into the tree: no cache, no compiled files.
 */
export function planPytestLaunch(request: LaunchRequest): LaunchPlan {
  const refused = refusePytestVersion(request.version);
  if (refused !== null) return { kind: "unsupported-version", detail: refused };
  const { options, filters } = splitArguments("pytest", request.args);
  const ours = ["-p", "no:cacheprovider", "--maxfail=0", "-o", "junit_family=xunit2", `--junitxml=${request.report}`];
  return {
    kind: "launch",
    argv: [
      ...[request.bin, "-I", "-B", `${request.witness}/pytest-witness.py`],
      ...[...ours, ...options.flatMap(asWords), ...filters],
    ],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
  };
}
