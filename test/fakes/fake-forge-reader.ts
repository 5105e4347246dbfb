import { TrueupError } from "../../src/errors.ts";
import type { AccountFacts } from "../../src/core/facts/index.ts";
import type { ClosedIssue, ForgeReader } from "../../src/ports/index.ts";
import type { ForgeWorld, WorldText } from "./forge-world.ts";

const closes = (text: string): readonly number[] =>
  [...text.matchAll(/closes #(\d+)/gu)].map(([, number]) => Number(number));

/** A forge in memory, read only. */
export function createFakeForgeReader(world: ForgeWorld): ForgeReader {
  const answer = (): void => {
    if (world.fault === "unreachable" || world.fault === "garbled")
      throw new TrueupError("forge-failed", { subject: "fake", detail: world.fault });
  };
  const account = (name: string): AccountFacts =>
    world.accounts.find((one) => one.name === name) ?? { name, kind: "unknown", permission: "unknown" };
  const textAt = (texts: readonly WorldText[], at: string): string | null => {
    if ((texts[0]?.at ?? "") > at) return "";
    const then = texts.findLast((one) => one.at <= at);
    return world.fault === "forgetful" && then !== texts.at(-1) ? null : (then?.text ?? null);
  };
  return {
    name: "fake",
    async readClosedIssues({ number, opened_at: at }) {
      answer();
      const pull = world.pulls.find((one) => one.number === number);
      if (pull === undefined) throw new TrueupError("forge-failed", { subject: `${number}`, detail: "none" });
      const opening = textAt(pull.texts, at);
      const then = opening === null ? null : closes(opening);
      const now = closes(pull.texts.at(-1)?.text ?? "");
      return world.issues
        .filter((one) => now.includes(one.number) || (then ?? []).includes(one.number))
        .map(({ number: issue, texts, done }): ClosedIssue => {
          const last = texts.at(-1);
          return {
            number: issue,
            author: account(texts[0]?.by ?? ""),
            last_editor: texts.length > 1 ? account(last?.by ?? "") : null,
            body: last?.text ?? "",
            body_at_opening: textAt(texts, at),
            open: done !== true,
            closed_now: now.includes(issue),
            closed_at_opening: then === null ? "unknown" : then.includes(issue) ? "yes" : "no",
          };
        });
    },
    async readAccount(name) {
      answer();
      return account(name);
    },
  };
}
