import type { CommandFacts, RunFacts } from "../../core/facts/index.ts";
import { measureHeadTests, type AssertionDemand } from "./assertion-demand.ts";
import { measureCommands, type MeasureRequest } from "./measure-tree.ts";
import type { RunArtifacts } from "./run-tests.ts";

/** What the changed tree does under the contract. */
export interface MeasuredHead {
  readonly runs: readonly RunFacts[];
  readonly commands: readonly CommandFacts[];
  /** Files that configured the runner in these runs; more than on base only if configuration found them by itself. */
  readonly roots: readonly string[];
  readonly reports: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Runs every tests and commands entry over the head tree, each in a fresh prepared room. */
export async function measureHead(request: MeasureRequest, demands: readonly AssertionDemand[]): Promise<MeasuredHead> {
  const runs: RunFacts[] = [];
  const commands: CommandFacts[] = [];
  const roots: string[] = [];
  const reports: { name: string; bytes: Uint8Array }[] = [];
  for (const criterion of (request.contract.tests ?? []).keys()) {
    const { result, prepare } = await measureHeadTests(request, criterion, demands[criterion] ?? "required");
    if (criterion === 0 || result === null) commands.push(...prepare);
    if (result === null) continue;
    runs.push(result.facts);
    roots.push(...result.closure);
    reports.push(...namedArtifacts(`head-${criterion}`, result.artifacts));
  }
  commands.push(...(await measureCommands(request)));
  return { runs, commands, roots, reports };
}

function namedArtifacts(name: string, artifacts: RunArtifacts): MeasuredHead["reports"] {
  const files = [
    { name: `${name}.stdout.txt`, bytes: artifacts.stdout },
    { name: `${name}.stderr.txt`, bytes: artifacts.stderr },
  ];
  return artifacts.report === null ? files : [...files, { name: `${name}.report.json`, bytes: artifacts.report }];
}
