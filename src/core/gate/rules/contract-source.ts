import type { AccountFacts, IssueContractFacts, RequestFacts } from "../../facts/index.ts";
import { block, finding, type Rule } from "../rule.ts";
import type { Finding } from "../verdict.ts";

/**
 * In CI a contract comes from the base revision, or from one issue that the change closes: written and last edited by people
 * who may write to the repository, as it stood when the pull request was opened. Anything else blocks or is undetermined.
 */
export const contractSource: Rule = ({ facts: { request } }) => {
  if (request === undefined) return { findings: [] };
  return { findings: sourceFindings(request) };
};

/** What is wrong with where a contract came from; while this is not empty, no issue's contract is used. */
export function sourceFindings(request: Pick<RequestFacts, "issues" | "issues_unread">): readonly Finding[] {
  return [...unread(request), ...ambiguous(request), ...request.issues.flatMap(judgeIssue)];
}

/** The gate is worth nothing after code of the change ran beside it. */
export const gateFirst: Rule = ({ facts: { request } }) => ({
  findings: (request?.ran_before ?? []).map((detail) =>
    finding("undetermined", "gate-not-first", { subject: "", detail }),
  ),
});

function unread({ issues_unread: why }: Pick<RequestFacts, "issues_unread">): readonly Finding[] {
  return why === null ? [] : [finding("undetermined", "contract-unpinned", { subject: "issues", detail: why })];
}

function ambiguous({ issues }: Pick<RequestFacts, "issues">): readonly Finding[] {
  const holding = issues.filter((one) =>
    [one.now, one.at_opening].some((held) => held !== "none" && held !== "unknown"),
  );
  if (holding.length < 2) return [];
  const numbers = holding.map(({ number }) => `#${number}`).join(", ");
  return [block("contract-ambiguous", "issues", `${holding.length} hold a contract: ${numbers}`)];
}

function judgeIssue(issue: IssueContractFacts): readonly Finding[] {
  const subject = `issue #${issue.number}`;
  const spent = issue.open ? [] : [block("contract-spent", subject, "it was closed before this change")];
  return [...judgePin(issue, subject), ...judgeLink(issue, subject), ...judgeTrust(issue, subject), ...spent];
}

function judgePin({ now, at_opening: then }: IssueContractFacts, subject: string): readonly Finding[] {
  if (then === "unknown" || now === "unknown")
    return [
      finding("undetermined", "contract-unpinned", {
        subject,
        detail: "how it stood when the pull request was opened is not known",
      }),
    ];
  if (now !== then) return [block("contract-changed", subject, `${now}, when the pull request was opened ${then}`)];
  return now === "invalid"
    ? [block("contract-unreadable", subject, "its acceptance block is not a valid contract")]
    : [];
}

/** A pull request that changes which issue it closes looks for the contract that suits it. */
function judgeLink(
  { closed_now: now, closed_at_opening: then }: IssueContractFacts,
  subject: string,
): readonly Finding[] {
  if (!now)
    return [block("contract-changed", subject, "the pull request closed it when it was opened, and no longer does")];
  if (then === "yes") return [];
  const detail =
    then === "no"
      ? "the pull request did not close it when it was opened"
      : "whether the pull request closed it when it was opened is not known";
  return [finding("undetermined", "contract-unpinned", { subject, detail })];
}

function judgeTrust({ author, last_editor: editor }: IssueContractFacts, subject: string): readonly Finding[] {
  const named = [
    { account: author, role: "author" },
    ...(editor === null ? [] : [{ account: editor, role: "last editor" }]),
  ];
  return named.flatMap(({ account, role }) => {
    const why = distrust(account);
    if (why === null) return [];
    const unknown = account.kind === "unknown" || (account.kind === "person" && account.permission === "unknown");
    const severity = unknown ? "undetermined" : "block";
    return [finding(severity, "contract-untrusted", { subject, detail: `its ${role} ${account.name} ${why}` })];
  });
}

/** A program with write permission may be the agent itself. */
function distrust({ kind, permission }: AccountFacts): string | null {
  if (kind === "bot") return "is no person";
  if (permission === "less") return "may not write to the repository";
  return kind === "unknown" || permission === "unknown" ? "is not known well enough" : null;
}
