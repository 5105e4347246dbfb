import type { Verdict } from "../gate/verdict.ts";
import type { AgentEvent } from "./agent-event.ts";

/** What the stop hook answers: the agent may stop, or goes on once with these words. */
export type StopAnswer = { readonly kind: "stop" } | { readonly kind: "go-on"; readonly reason: string };

/** A turn of an agent, for remembering that it was sent back. */
export function turnKey({ session, turn }: AgentEvent): string {
  return JSON.stringify([session, turn]);
}

/** False when the answer is known without judging: an agent that was sent back in this turn is not sent back again. */
export function mayGoOn(event: AgentEvent, sentBack: readonly string[]): boolean {
  return !event.stopActive && !sentBack.includes(turnKey(event));
}

const most = 12;

/** Sends the agent back with the findings of a verdict that holds its work up; nothing to check is no reason to. */
export function decideStop(verdict: Verdict): StopAnswer {
  if (verdict.outcome === "passed" || verdict.outcome === "unchecked") return { kind: "stop" };
  const wrong = verdict.findings.filter(({ severity }) => severity === "block" || severity === "undetermined");
  const lines = wrong.slice(0, most).map(
    ({ code, subject, detail }) =>
      `- ${[code, subject, detail]
        .filter((part) => part !== "")
        .map(plain)
        .join(": ")}`,
  );
  const more = wrong.length > most ? [`- and ${wrong.length - most} more`] : [];
  const reason = [
    `trueup: the work is not accepted yet (${verdict.outcome}).`,
    ...lines,
    ...more,
    "Mend this in the work itself, run each acceptance command as `trueup run -- COMMAND`, then stop again. If something cannot be mended, say so plainly. This is said once; the change is judged again before it is pushed.",
  ].join("\n");
  return { kind: "go-on", reason };
}

/** Names of the repository's own are quoted to the agent: on one line, and bounded. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
