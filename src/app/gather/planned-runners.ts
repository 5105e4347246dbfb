import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { TestRunner } from "../../core/test-report/index.ts";
import { TrueupError } from "../../errors.ts";
import type { LockedVersions, TreeReader } from "../../ports/index.ts";
import { findRunner } from "../../runners/index.ts";
import { normalDirectory } from "./package-roots.ts";
import { resolveTestCommand } from "./test-command.ts";

/** A runner that the contract's tests come down to, and where it runs. */
export interface PlannedRunner {
  readonly runner: TestRunner;
  readonly cwd: string;
}

/** The runners of a contract's tests, from the tree alone. Throws `contract-invalid` and `runner-unknown` before anything is fetched for them. */
export async function planRunners(
  reader: TreeReader,
  contract: AcceptanceContract | null,
): Promise<readonly PlannedRunner[]> {
  return Promise.all(
    (contract?.tests ?? []).map(async (entry) => {
      const cwd = normalDirectory(entry.cwd ?? "");
      const { runner: name } = await resolveTestCommand(entry.command, { reader, cwd });
      const runner = findRunner(name);
      if (runner === null) throw new TrueupError("runner-unknown", { subject: name });
      return { runner, cwd };
    }),
  );
}

/** Refuses what the lockfile already shows: a runner that it does not install, or a version that cannot be witnessed. */
export function refuseLockedRunners(planned: readonly PlannedRunner[], locked: LockedVersions): void {
  for (const { runner, cwd } of planned) {
    const version = locked(cwd, runner.packageName);
    if (version === null) throw runnerNotInstalled(runner.name, cwd);
    const refused = runner.refuseVersion(version);
    if (refused !== null) throw new TrueupError("runner-unsupported", { subject: refused });
  }
}

/** The error for a runner that is not there, seen from where the contract runs it. */
export function runnerNotInstalled(name: string, cwd: string): TrueupError {
  return new TrueupError("runner-not-installed", {
    subject: name,
    detail: `as seen from ${cwd === "" ? "the root" : cwd}`,
  });
}
