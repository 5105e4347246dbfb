import { matchesAny } from "../contract/index.ts";
import type { PolicyRule, RuleHit } from "../facts/index.ts";

/** A changed file: its text on both sides; `base` null for a new one, `head` null for one that cannot be read as text. */
export interface ChangedText {
  readonly path: string;
  readonly base: string | null;
  readonly head: string | null;
}

/** Where one changed file breaks rules: only what is new on head, and what could not be looked at. */
export function applyRules(rules: readonly PolicyRule[], file: ChangedText): readonly RuleHit[] {
  return rules.filter(({ paths }) => matchesAny(paths, file.path)).flatMap((rule) => applyRule(rule, file));
}

function applyRule(rule: PolicyRule, { path, base, head }: ChangedText): readonly RuleHit[] {
  const hit = (kind: RuleHit["kind"], line: number | null): RuleHit => ({ rule: rule.name, path, kind, line });
  if (head === null) return [hit("not-looked", null)];
  const { forbids, requires } = rule;
  return [
    ...(forbids === undefined ? [] : newLines(base ?? "", head, forbids).map((line) => hit("forbidden", line))),
    ...(requires === undefined || head.includes(requires) ? [] : [hit("missing", null)]),
  ];
}

/** Numbers of lines with the text that base does not have: a line that only moved is not new. */
function newLines(base: string, head: string, text: string): readonly number[] {
  const known = new Map<string, number>();
  for (const line of base.split("\n")) if (line.includes(text)) known.set(line, (known.get(line) ?? 0) + 1);
  return head.split("\n").flatMap((line, index) => {
    if (!line.includes(text)) return [];
    const left = known.get(line) ?? 0;
    known.set(line, left - 1);
    return left > 0 ? [] : [index + 1];
  });
}
