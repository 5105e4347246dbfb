import type { ContentFact } from "../../facts/index.ts";
import { block, finding, type Rule } from "../rule.ts";
import type { CriterionResult, Finding } from "../verdict.ts";

interface Pair {
  readonly path: string;
  readonly text: string;
}

type Key = "file_contains" | "file_excludes";

/** `file_contains` and `file_excludes`, one criterion a pair, from the blobs of the captured tree. */
export const content: Rule = ({ facts, contract }) => {
  const judge = (key: Key) =>
    (contract?.[key] ?? []).map((pair) =>
      judgePair(
        key,
        pair,
        facts.change.contents.filter((fact) => isAbout(fact, pair)),
      ),
    );
  const judged = [...judge("file_contains"), ...judge("file_excludes")];
  return { criteria: judged.map((one) => one.criterion), findings: judged.flatMap((one) => one.findings) };
};

function isAbout(fact: ContentFact, pair: Pair): boolean {
  return fact.path === pair.path && fact.text === pair.text;
}

function judgePair(
  key: Key,
  pair: Pair,
  answers: readonly ContentFact[],
): { criterion: CriterionResult; findings: readonly Finding[] } {
  const promise = `${pair.path} ${key === "file_contains" ? "contains" : "does not contain"} ${JSON.stringify(pair.text)}`;
  const criterion = (outcome: CriterionResult["outcome"], detail: string): CriterionResult => ({
    kind: key,
    subject: pair.path,
    outcome,
    detail,
  });
  if (answers.length === 0) {
    const detail = `${promise}: not read`;
    return {
      criterion: criterion("undetermined", detail),
      findings: [finding("undetermined", "content-not-read", { subject: pair.path, detail })],
    };
  }
  const fault = answers
    .map((fact) => (key === "file_contains" ? whyNotContained(fact) : whyNotExcluded(fact)))
    .find((why) => why !== null);
  if (fault === undefined || fault === null) return { criterion: criterion("passed", promise), findings: [] };
  const code = key === "file_contains" ? "content-missing" : "content-present";
  const detail = `${promise}: ${fault}`;
  return { criterion: criterion("failed", detail), findings: [block(code, pair.path, detail)] };
}

/** What is not a regular file has no content of its own: a link's target never counts. */
function whyNotContained(fact: ContentFact): string | null {
  if (fact.kind === "missing") return "there is no such file";
  if (fact.kind !== "file") return `it is a ${fact.kind}`;
  return fact.found ? null : "the text is not there";
}

function whyNotExcluded(fact: ContentFact): string | null {
  if (fact.found) return "the text is there";
  return fact.kind === "symlink" || fact.kind === "submodule" ? `it is a ${fact.kind}` : null;
}
