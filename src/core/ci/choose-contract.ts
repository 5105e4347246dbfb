import { findAcceptanceFence, parseContractMarkdown, type AcceptanceContract } from "../contract/index.ts";
import type { Digest } from "../digest.ts";
import type { HeldContract, IssueContractFacts, RequestFacts } from "../facts/index.ts";
import { sourceFindings } from "../gate/index.ts";

/** A contract and the digest that pins it. */
export interface NamedContract {
  readonly contract: AcceptanceContract;
  readonly digest: Digest;
}

/** An issue as the forge tells of it, with its texts. */
export interface IssueTexts extends Omit<IssueContractFacts, "now" | "at_opening"> {
  readonly body: string;
  /** Null where the forge cannot say. */
  readonly body_at_opening: string | null;
}

export interface ChosenContract {
  readonly from: RequestFacts["contract_from"];
  readonly standing: NamedContract | null;
  readonly task: NamedContract | null;
  readonly issues: readonly IssueContractFacts[];
}

/**
 * The contract of the base, and the one that the closed issues hold, if it may be used. The pull request itself is never
 * asked: it has no way in.
 */
export function chooseContract(options: {
  readonly standing: NamedContract | null;
  readonly issues: readonly IssueTexts[];
  readonly issuesUnread: string | null;
}): ChosenContract {
  const read = options.issues.map(readIssue).filter(({ facts }) => mayHold(facts));
  const issues = read.map(({ facts }) => facts);
  const sound = sourceFindings({ issues, issues_unread: options.issuesUnread }).length === 0;
  const task = sound ? (read.find(({ contract }) => contract !== null)?.contract ?? null) : null;
  const { standing } = options;
  const from =
    task === null ? (standing === null ? "none" : "base") : standing === null ? "issue" : ("base-and-issue" as const);
  return { from, standing, task, issues };
}

function readIssue(issue: IssueTexts): { facts: IssueContractFacts; contract: NamedContract | null } {
  const { body, body_at_opening: earlier, ...rest } = issue;
  const now = readText(body);
  return { facts: { ...rest, now: now.held, at_opening: readText(earlier).held }, contract: now.contract };
}

/** False for an issue that neither holds nor held a contract: it says nothing about this change. */
function mayHold({ now, at_opening: then }: IssueContractFacts): boolean {
  return now !== "none" || then !== "none";
}

function readText(text: string | null): { held: HeldContract; contract: NamedContract | null } {
  if (text === null) return { held: "unknown", contract: null };
  const fence = findAcceptanceFence(text);
  if (fence.ok && fence.fence === null) return { held: "none", contract: null };
  const parsed = parseContractMarkdown(text);
  // What everybody can read is not held out.
  if (!parsed.ok || parsed.contract.held_out_tests !== undefined) return { held: "invalid", contract: null };
  return { held: parsed.digest, contract: { contract: parsed.contract, digest: parsed.digest } };
}
