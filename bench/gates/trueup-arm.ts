import fs from "node:fs";
import path from "node:path";
import { matchesAny, type AcceptanceContract } from "../../src/core/contract/index.ts";
import type { Facts } from "../../src/core/facts/index.ts";
import type { Verdict } from "../../src/core/gate/verdict.ts";
import { deliverSide } from "../../tools/corpus/deliver-side.ts";
import type { Side } from "../../tools/corpus/plan-side.ts";
import { handoffFields } from "./gate-columns.ts";

/** What Trueup said, and what its facts say about the change, whoever judges it. */
export interface TrueupOutcome {
  readonly accepted: boolean;
  readonly testsRan: boolean | null;
  readonly filesOutside: number;
  readonly handedOver: number;
}

/** Delivers a side and reads its artifacts before they are cleared away. */
export async function runTrueupArm(side: Side): Promise<TrueupOutcome> {
  let read: Omit<TrueupOutcome, "accepted"> | null = null;
  const { outcome } = await deliverSide(side, (state) => {
    read = readArtifacts(state);
  });
  const nothing = { testsRan: null, filesOutside: 0, handedOver: 0 };
  return { accepted: outcome === "passed", ...(read ?? nothing) };
}

function readArtifacts(state: string): Omit<TrueupOutcome, "accepted"> | null {
  const names = fs.readdirSync(state, { recursive: true, encoding: "utf8" });
  const facts = names.find((name) => path.basename(name) === "facts.json");
  if (facts === undefined) return null;
  const read = <T>(name: string): T | null => {
    const file = path.join(state, path.dirname(facts), name);
    return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as T) : null;
  };
  const all = read<Facts>("facts.json");
  const contract = read<AcceptanceContract>("contract.json");
  const verdict = read<Verdict>("verdict.json");
  if (all === null || contract === null) return null;
  const only = contract.changed_files_only;
  return {
    testsRan: testsRan(all, contract),
    filesOutside: all.change.entries.filter((one) => only !== undefined && !matchesAny(only, one.path)).length,
    handedOver: countHandedOver({ facts: all, contract, verdict }),
  };
}

/** Every promised test was seen to pass in the clean room, and nothing about the run was doubtful. */
function testsRan(facts: Facts, contract: AcceptanceContract): boolean | null {
  const entries = contract.tests ?? [];
  if (entries.length === 0) return null;
  return entries.every(({ passed }, index) => {
    const head = facts.runs.find((run) => run.purpose === "head" && run.criterion === index);
    const seen = head?.cases.filter((one) => one.state === "passed").length ?? 0;
    return head !== undefined && head.faults.length === 0 && seen > 0 && (passed === undefined || seen === passed);
  });
}

interface HandedOver {
  readonly facts: Facts;
  readonly contract: AcceptanceContract | null;
  readonly verdict: Verdict | null;
}

/** What a reviewer starts from: the promise, the exact trees, the files, the tests by name, base beside head, what was not seen, the verdict. */
function countHandedOver({ facts, contract, verdict }: HandedOver): number {
  const { change, runs } = facts;
  const there = [
    contract !== null,
    change.base_tree !== "" && change.tree !== "",
    change.entries.length > 0,
    runs.some((run) => run.cases.length > 0) || contract?.tests === undefined,
    runs.some((run) => run.purpose !== "head") || contract?.tests === undefined,
    verdict !== null && Array.isArray(verdict.grade.costs),
    verdict !== null,
  ];
  return Math.min(handoffFields, there.filter(Boolean).length);
}
