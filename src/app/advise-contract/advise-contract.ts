import { matchesAny, type AcceptanceContract } from "../../core/contract/index.ts";
import { baseFlaws, doubtful, lintContract, sortFlaws, type ContractFlaw } from "../../core/contract-advice/index.ts";
import type { FitReport } from "../../core/fit/index.ts";
import { TrueupError } from "../../errors.ts";
import type { TreeReader } from "../../ports/index.ts";
import { openBase } from "../gather/open-base.ts";
import { planRunners, type PlannedRunner } from "../gather/planned-runners.ts";
import type { GivenContract } from "../preflight/choose-contract.ts";
import { preflight, type PreflightPorts } from "../preflight/preflight.ts";
import { readBaseView } from "./base-view.ts";

/** Where a contract is tried. */
export interface AdviseTarget {
  /** As git takes it. */
  readonly url: string;
  /** Null: the remote's HEAD. */
  readonly ref: string | null;
  /** Whether base's tests are run to compare counts. */
  readonly run: boolean;
  /** Milliseconds from an arbitrary start. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

export interface Advice {
  readonly base: { readonly ref: string; readonly commit: string };
  readonly flaws: readonly ContractFlaw[];
  /** `not-run`: counts were not compared; `unknown`: they could not be. */
  readonly baseline: "compared" | "not-run" | "unknown";
}

/** Holds a valid contract against a repository: its files, and unless told otherwise the runs of its tests over the untouched base. */
export async function adviseContract(
  given: GivenContract,
  target: AdviseTarget,
  ports: PreflightPorts,
): Promise<Advice> {
  const { base, reader } = await openBase(ports.git, target);
  const { contract } = given;
  const flaws = [
    ...lintContract(contract, await readBaseView(reader, contract)),
    ...(await fileFlaws(reader, contract)),
  ];
  const at = { ref: base.ref, commit: base.commit };
  if (!target.run || (contract.tests ?? []).length === 0)
    return { base: at, flaws: sortFlaws([...flaws, ...(await commandFlaws(reader, contract))]), baseline: "not-run" };
  const report = await tryOnBase(given, target, ports);
  const said = new Set(flaws.map((one) => one.code));
  // A contract that asks for nothing new is one flaw, not two.
  const seen = baseFlaws(contract, report).filter(
    (one) => one.code !== "contract-vacuous" || !said.has("nothing-new-asked"),
  );
  const baseline = report.outcome !== "undetermined" && report.baseline.length > 0 ? "compared" : "unknown";
  return { base: at, flaws: sortFlaws([...flaws, ...seen]), baseline };
}

/** The executor's steps up to the baseline, under this contract. */
export function tryOnBase(given: GivenContract, target: AdviseTarget, ports: PreflightPorts): Promise<FitReport> {
  return preflight(
    {
      url: target.url,
      ref: target.ref,
      contract: given,
      parseStandingContract: () => given,
      now: target.now,
      ...(target.signal === undefined ? {} : { signal: target.signal }),
    },
    ports,
  );
}

/** Test commands that come down to no runner; of several the first is said. */
async function commandFlaws(reader: TreeReader, contract: AcceptanceContract): Promise<readonly ContractFlaw[]> {
  try {
    await planRunners(reader, contract);
    return [];
  } catch (error) {
    if (!(error instanceof TrueupError)) throw error;
    return [{ severity: "error", code: error.code, key: "tests", detail: `${error.message}. ${error.hint}` }];
  }
}

/** File arguments of test commands that name nothing on base and nothing that the scope lets a change bring. */
async function fileFlaws(reader: TreeReader, contract: AcceptanceContract): Promise<readonly ContractFlaw[]> {
  // What cannot be planned is said once, where the command is tried.
  const planned = await planRunners(reader, contract).catch((error: unknown): readonly PlannedRunner[] => {
    if (error instanceof TrueupError) return [];
    throw error;
  });
  return planned.flatMap(({ runner, args, place }, index) =>
    runner.fileFilters(args).flatMap((filter) => {
      const name = filter.replace(/^(?:\.\/)+/u, "");
      const file = place.cwd === "" ? name : `${place.cwd}/${name}`;
      const onBase = reader.entries.some((entry) => entry.path.includes(name) || matchesAny([file], entry.path));
      if (onBase || matchesAny(contract.changed_files_only ?? [], file)) return [];
      const detail = `${filter} is in no path of base, and changed_files_only lets no such file be made`;
      return [doubtful("command-names-nothing", `tests[${index}].command`, detail)];
    }),
  );
}
