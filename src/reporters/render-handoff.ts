import type { Handoff } from "../core/handoff/index.ts";
import { codeSpan, escapeMarkdown } from "./escape-markdown.ts";
import { wordsOf } from "./finding-words.ts";
import { cutText } from "./visible-text.ts";

const most = 100;
const stateWords: Readonly<Record<Handoff["clean_state"]["state"], string>> = {
  clean: "The work tree is exactly what was judged.",
  moved: "The work tree is NOT what was judged: it has changed since.",
  "not-compared": "Not compared with any work tree.",
};

/** A handoff as Markdown: seven headings, always all of them; an empty one says so. */
export function renderHandoff(handoff: Handoff): string {
  const { asked, changed, verified, claimed, open, clean_state: clean, next } = handoff;
  const accepted = verified.outcome === "passed";
  return [
    `# Handoff: ${accepted ? "accepted" : `NOT ACCEPTED (${verified.outcome})`}`,
    ...section("Asked", [
      `Intent ${asked.intent}, contract ${asked.contract === null ? "none" : codeSpan(asked.contract)}.`,
      ...list(asked.criteria.map(foreign), "Nothing that a machine could check."),
    ]),
    ...section(
      "Changed",
      list(
        changed.map(({ path, status, added, deleted }) => `${foreign(path)} ${status}, +${added} -${deleted}`),
        "Nothing.",
      ),
    ),
    ...section("Verified", [
      `${verified.passed}/${verified.of} checks passed, outcome ${verified.outcome}, grade ${verified.grade}.`,
      ...(verified.tests_added === null
        ? ["No test was run by the executor."]
        : list(
            verified.tests_added.map((test) => `new: ${foreign(test)}`),
            "No test is new.",
          )),
    ]),
    ...section(
      "Claimed",
      list(
        claimed.map(
          ({ about, claimed: said, verified: measured, standing }) =>
            `${about}: claimed ${foreign(said)}, verified ${foreign(measured)} (${standing})`,
        ),
        "Nothing was claimed that could be measured.",
      ),
    ),
    ...section(
      "Open",
      list(
        open.map((one) => {
          const about = [one.subject, one.detail]
            .filter((part) => part !== "")
            .map(foreign)
            .join(": ");
          const { title } = wordsOf(one.code);
          return `${one.overridden ? "overridden, " : ""}${one.severity} ${codeSpan(one.code)} ${title}${about === "" ? "" : `: ${about}`}`;
        }),
        "No finding that decides or warns.",
      ),
    ),
    ...section("Clean state", [stateWords[clean.state], `Base ${codeSpan(clean.base)}, tree ${codeSpan(clean.tree)}.`]),
    ...section("Next", list(next.map(nextWords), "")),
    "",
  ].join("\n");
}

function nextWords(step: string): string {
  if (step === "review") return "Review: no machine can say how good the tests or the code are.";
  if (step === "check-again") return "Run `trueup check` again: the work tree has moved.";
  const code = step.replace(/^mend /u, "");
  return `${codeSpan(code)}: ${wordsOf(code).hint}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ["", `## ${title}`, "", ...lines];
}

function list(items: readonly string[], empty: string): readonly string[] {
  if (items.length === 0) return empty === "" ? [] : [empty];
  const shown = items.slice(0, most).map((item) => `- ${item}`);
  return items.length > most ? [...shown, `- and ${items.length - most} more`] : shown;
}

/** Names and texts of the repository or of the agent. */
function foreign(text: string): string {
  return escapeMarkdown(cutText(text, 500));
}
