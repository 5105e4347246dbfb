import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { TestRunner, ToolchainRunner } from "../../core/test-report/index.ts";
import { TrueupError } from "../../errors.ts";
import type { LockedVersions, ResolvedToolchain, TreeReader } from "../../ports/index.ts";
import { findRunner } from "../../runners/index.ts";
import { normalDirectory } from "./package-roots.ts";
import { findElsewhere, resolveTestCommand, type CommandPlace } from "./test-command.ts";

/** A runner that a tests entry comes down to, its arguments, and where it runs. */
export interface PlannedRunner {
  readonly runner: TestRunner;
  readonly args: readonly string[];
  readonly place: CommandPlace;
}

/** The runners of a contract's tests, from the tree alone. Throws `contract-invalid` and `runner-unknown` before anything is fetched for them. */
export async function planRunners(
  reader: TreeReader,
  contract: AcceptanceContract | null,
): Promise<readonly PlannedRunner[]> {
  return Promise.all(
    (contract?.tests ?? []).map(async (entry) => {
      const place = { reader, cwd: normalDirectory(entry.cwd ?? "") };
      const { runner: name, args } = await resolveTestCommand(entry.command, place);
      const runner = findRunner(name);
      if (runner === null) throw new TrueupError("runner-unknown", { subject: name });
      return { runner, args, place };
    }),
  );
}

/** The version of a runner that comes with the toolchain, null when this machine does not have it. */
export function toolchainVersion(runner: ToolchainRunner, toolchain: ResolvedToolchain): string | null {
  return runner.program === "node" ? toolchain.nodeVersion : (toolchain.python?.pytestVersion ?? null);
}

/** Refuses a runner of the toolchain that this machine does not have, or in a version that cannot be witnessed. */
export function refuseToolchainRunners(planned: readonly PlannedRunner[], toolchain: ResolvedToolchain): void {
  for (const one of planned) {
    if (one.runner.program === undefined) continue;
    refuseVersion(one, toolchainVersion(one.runner, toolchain));
  }
}

/** Refuses what the lockfiles already show: a runner that they do not install, or a version that cannot be witnessed. */
export function refuseLockedRunners(planned: readonly PlannedRunner[], locked: LockedVersions): void {
  for (const one of planned) {
    if (one.runner.program !== undefined) continue;
    refuseVersion(one, locked(one.place.cwd, one.runner.packageName));
  }
}

function refuseVersion(one: PlannedRunner, version: string | null): void {
  if (version === null) throw runnerNotInstalled(one);
  const refused = one.runner.refuseVersion(version);
  if (refused !== null) throw new TrueupError("runner-unsupported", { subject: refused });
}

/** The error for a runner that is not there; where the arguments name files of another package, it says so. */
export function runnerNotInstalled({ runner, args, place }: PlannedRunner): TrueupError {
  if (runner.program === "python") {
    return new TrueupError("runner-not-installed", {
      subject: runner.name,
      detail: "no python3 on this machine's PATH has it",
      hint: "Install it for the python3 that your tests run with (on Debian: apt-get install python3-pytest).",
    });
  }
  const places = findElsewhere(runner.fileFilters(args), place);
  const [first] = places.flatMap((one) => one.directories);
  const misplaced = places.map(({ argument, directories }) => `; ${argument} is a file of ${directories.join(", ")}`);
  return new TrueupError("runner-not-installed", {
    subject: runner.name,
    detail: `as seen from ${place.cwd === "" ? "the repository's root" : place.cwd}${misplaced.join("")}`,
    ...(first === undefined ? {} : { hint: `Set \`cwd\` of the tests entry to ${JSON.stringify(first)}.` }),
  });
}
