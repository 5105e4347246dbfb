import type { AcceptanceContract } from "../contract/index.ts";
import type { Facts } from "../facts/index.ts";
import { compareClaim, measureMovement, type ClaimRow, type Finding, type Verdict } from "../gate/index.ts";

/** Whether whoever takes over finds what was judged: nobody looked, it is that tree, or it is another. */
export type CleanState = "not-compared" | "clean" | "moved";

/** What one worker leaves to the next: seven fields, each from facts and verdict, none from anybody's account. */
export interface Handoff {
  readonly version: 1;
  /** What was asked for, criterion by criterion, and by which contract. */
  readonly asked: { readonly contract: string | null; readonly intent: string; readonly criteria: readonly string[] };
  readonly changed: readonly {
    readonly path: string;
    readonly status: string;
    readonly added: number;
    readonly deleted: number;
  }[];
  readonly verified: {
    readonly outcome: Verdict["outcome"];
    readonly grade: string;
    readonly passed: number;
    readonly of: number;
    /** Tests that are new and pass; null when no test was run. */
    readonly tests_added: readonly string[] | null;
  };
  /** What was said of the work beside what was measured. */
  readonly claimed: readonly ClaimRow[];
  /** Findings that decide or warn, the deciding ones first; overridden ones among them. */
  readonly open: readonly (Pick<Finding, "code" | "severity" | "subject" | "detail"> & {
    readonly overridden: boolean;
  })[];
  readonly clean_state: { readonly state: CleanState; readonly base: string; readonly tree: string };
  /** What is next, as codes: `mend CODE` for each that decides, else `review`. */
  readonly next: readonly string[];
}

/** Pure: the same artifacts and the same state give the same handoff. */
export function makeHandoff(
  {
    verdict,
    facts,
    contract,
  }: { readonly verdict: Verdict; readonly facts: Facts; readonly contract: AcceptanceContract | null },
  state: CleanState,
): Handoff {
  const movement = measureMovement(facts, contract);
  const overridden = (one: Finding): boolean =>
    (verdict.overrides ?? []).some(({ code, subject }) => code === one.code && subject === one.subject);
  const open = verdict.findings
    .filter(({ severity }) => severity !== "info")
    .map((one) => ({ ...one, overridden: overridden(one) }));
  const deciding = open.filter((one) => one.severity !== "warn" && !one.overridden);
  return {
    version: 1,
    asked: {
      contract: verdict.inputs.contract,
      intent: contract?.intent ?? "behaviour",
      criteria: verdict.criteria.map(({ kind, subject }) => [kind, subject].filter((part) => part !== "").join(" ")),
    },
    changed: facts.change.entries.map(({ path, status, added_lines, deleted_lines }) => ({
      path,
      status,
      added: added_lines,
      deleted: deleted_lines,
    })),
    verified: {
      outcome: verdict.outcome,
      grade: verdict.grade.value,
      passed: verdict.criteria.filter(({ outcome }) => outcome === "passed").length,
      of: verdict.criteria.length,
      tests_added: movement.ran ? movement.added : null,
    },
    claimed: compareClaim(facts, contract, facts.claim),
    open,
    clean_state: { state, base: verdict.base_commit, tree: verdict.tree },
    next: [
      ...(state === "moved" ? ["check-again"] : []),
      ...(deciding.length === 0 ? ["review"] : [...new Set(deciding.map(({ code }) => `mend ${code}`))]),
    ],
  };
}
