import type { AcceptanceContract } from "../../core/contract/index.ts";
import { canonicalJson, type Digest } from "../../core/digest.ts";
import type { Facts } from "../../core/facts/index.ts";
import { evaluate, type GatePolicy } from "../../core/gate/index.ts";
import type { Verdict } from "../../core/gate/verdict.ts";
import { renderExecutorRecords } from "./executor-records.ts";

/** What reporters are given: the decision and what it was made from. */
export interface Judged {
  readonly verdict: Verdict;
  readonly facts: Facts;
  readonly contract: AcceptanceContract | null;
}

/** Words for a judged change; built by `entry` from the reporters, so that no use case knows how anything is worded. */
export interface Renderers {
  acceptanceJson(judged: Judged): string;
  markdown(judged: Judged): string;
  pullRequestBody(
    judged: Judged,
    publication: { readonly marker: string; readonly agentWords: string; readonly links: string | null },
  ): string;
  /** One line in which nothing mentions, closes or commands. */
  pullRequestTitle(judged: Judged, title: string): string;
}

/** Where a bundle's files go. */
export type WriteArtifact = (name: string, content: Uint8Array | string) => Promise<void>;

/** The gate over gathered facts. */
export function judge(
  facts: Facts,
  contract: AcceptanceContract | null,
  options: { contractDigest: Digest | null; policy: GatePolicy },
): Judged {
  return {
    verdict: evaluate({ facts, contract, contractDigest: options.contractDigest, policy: options.policy }),
    facts,
    contract,
  };
}

/** Writes the artifacts of a judged change: exactly what `trueup gate` reads again. */
export async function writeArtifacts(
  judged: Judged,
  gathered: {
    readonly patch: Uint8Array;
    readonly reports: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  },
  options: { readonly renderers: Renderers; readonly write: WriteArtifact },
): Promise<void> {
  const { renderers, write } = options;
  if (judged.contract !== null) await write("contract.json", canonicalJson(judged.contract));
  await write("diff.patch", gathered.patch);
  await write("facts.json", canonicalJson(judged.facts));
  if (judged.facts.subject.mode !== "records") await write("records.jsonl", renderExecutorRecords(judged.facts));
  for (const report of gathered.reports) await write(`reports/${report.name}`, report.bytes);
  await write("acceptance.json", renderers.acceptanceJson(judged));
  await write("report.md", renderers.markdown(judged));
  await write("verdict.json", canonicalJson(judged.verdict));
}
