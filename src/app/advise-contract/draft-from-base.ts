import {
  contractDigest,
  parseTestCommand,
  type AcceptanceContract,
  type TestsEntry,
} from "../../core/contract/index.ts";
import { buildScripts, draftContract, type Draft } from "../../core/contract-advice/index.ts";
import { deriveTests, type FitReport } from "../../core/fit/index.ts";
import { openBase } from "../gather/open-base.ts";
import { readShownTests } from "../preflight/choose-contract.ts";
import type { PreflightPorts } from "../preflight/preflight.ts";
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
  const entry = derived.ok ? direct(derived.entry, shown.scripts, shown.paths) : null;
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

/** The runner's own command instead of the script that calls it, where the script is nothing else: it reads and lasts better. */
function direct(
  entry: TestsEntry,
  scripts: Readonly<Record<string, string>> | null,
  paths: ReadonlySet<string>,
): TestsEntry {
  const parsed = parseTestCommand(entry.command);
  const name = parsed.ok ? parsed.command.script : null;
  const script = name === null ? undefined : scripts?.[name];
  if (script === undefined) return entry;
  const launcher = paths.has("pnpm-lock.yaml") ? "pnpm exec " : "npx ";
  const inner = parseTestCommand(script);
  const fromPackages =
    inner.ok && inner.command.launcher === null && !/^(?:node|python3?|pytest|py\.test)\b/u.test(script);
  const command = `${fromPackages ? launcher : ""}${script}`;
  return parseTestCommand(command).ok ? { ...entry, command } : entry;
}
