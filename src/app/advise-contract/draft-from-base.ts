import { contractDigest, type AcceptanceContract, type TestsEntry } from "../../core/contract/index.ts";
import { buildScripts, draftContract, type Draft } from "../../core/contract-advice/index.ts";
import { deriveTests, type FitReport } from "../../core/fit/index.ts";
import { openBase } from "../gather/open-base.ts";
import { readShownTests } from "../preflight/choose-contract.ts";
import type { PreflightPorts } from "../preflight/preflight.ts";
import { directCommand } from "./direct-command.ts";
import { tryOnBase, type AdviseTarget } from "./advise-contract.ts";

export interface DraftRequest {
  /** The task's words, without a contract. */
  readonly text: string;
  readonly intent: AcceptanceContract["intent"] | null;
  readonly target: AdviseTarget;
}

export interface DraftResult extends Draft {
  readonly base: { readonly ref: string; readonly commit: string };
  /** Why base's tests gave no count, in words; empty when they did or were not run. */
  readonly trouble: readonly string[];
  readonly baseline: FitReport["baseline"][number] | null;
}

/** Proposes a contract from a task's words, the repository's manifest, and a run of its tests over the untouched base. */
export async function draftFromBase(request: DraftRequest, ports: PreflightPorts): Promise<DraftResult> {
  const { text, intent, target } = request;
  const { base, reader } = await openBase(ports.git, target);
  const shown = await readShownTests(reader);
  const derived = deriveTests(shown);
  const entry = derived.ok ? directCommand(derived.entry, shown) : null;
  const prepare = buildScripts(shown.scripts);
  const report = entry === null || !target.run ? null : await measure({ entry, prepare }, target, ports);
  const [run] = report?.baseline ?? [];
  const counted = run !== undefined && run.failed === 0 && run.exit === 0;
  const draft = draftContract({
    text,
    intent: intent ?? null,
    paths: reader.entries.map((one) => one.path),
    entry,
    prepare,
    passedOnBase: counted ? run.passed : null,
  });
  const trouble = [
    ...(derived.ok ? [] : [`${derived.subject}: ${derived.detail}`]),
    ...(report?.reasons ?? []).map((one) => [one.message, one.subject, one.detail].filter(Boolean).join(": ")),
    ...(run === undefined || counted ? [] : [`base is red: exit ${run.exit ?? "none"}, ${run.failed} failed`]),
  ];
  return { ...draft, base: { ref: base.ref, commit: base.commit }, trouble, baseline: run ?? null };
}

function measure(
  found: { readonly entry: TestsEntry; readonly prepare: readonly string[] },
  target: AdviseTarget,
  ports: PreflightPorts,
): Promise<FitReport> {
  const contract: AcceptanceContract = {
    // Nothing is asked yet, so an untouched base that meets it is no objection.
    intent: "chore",
    ...(found.prepare.length === 0 ? {} : { prepare: found.prepare.map((name) => ({ command: `npm run ${name}` })) }),
    tests: [found.entry],
  };
  return tryOnBase({ contract, digest: contractDigest(contract) }, target, ports);
}
