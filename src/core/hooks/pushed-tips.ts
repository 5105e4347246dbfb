/** A ref that a push makes or moves; `commit` is the new id. */
export interface PushedTip {
  readonly ref: string;
  readonly commit: string;
  /** What the ref was; null where it is new. */
  readonly before: string | null;
}

const id = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const none = /^0+$/u;

/**
 * The tips in what git gives a hook: `pre-push` lines are local ref, local id, remote ref, remote id, those of `pre-receive`
 * old id, new id, ref. Refs that a push removes have no tip. Null when a line is anything else: then nothing is known.
 */
export function parsePushedTips(hook: "pre-push" | "pre-receive", text: string): readonly PushedTip[] | null {
  const tips: PushedTip[] = [];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const words = line.split(" ");
    const [commit = "", ref = "", before = ""] =
      hook === "pre-push" ? [words.at(-3), words.at(-2), words.at(-1)] : [words[1], words[2], words[0]];
    if (words.length < (hook === "pre-push" ? 4 : 3) || !id.test(commit) || !id.test(before)) return null;
    if (!ref.startsWith("refs/")) return null;
    if (!none.test(commit)) tips.push({ ref, commit, before: none.test(before) ? null : before });
  }
  return tips;
}
