import type { Digest } from "../digest.ts";
import { plainTitle } from "./plain-title.ts";

/** What a commit of ours says of itself; believed only when the digest is recomputed from the commit. */
export interface Trailers {
  readonly task: string;
  /** Null when the task had no contract. */
  readonly contract: Digest | null;
  readonly change_digest: Digest;
  readonly same_edit: Digest;
}

const keys = ["Trueup-Task", "Trueup-Contract", "Trueup-Change-Digest", "Trueup-Same-Edit"] as const;
const digestForm = /^sha256:[0-9a-f]{64}$/u;
const taskForm = /^[\x21-\x7e]{1,200}$/u;

/**
 * The message of the published commit: a title of one line, a sentence, the trailers. Deterministic. Throws RangeError when
 * a trailer's value is none.
 */
export function commitMessage(request: { readonly title: string; readonly trailers: Trailers }): string {
  const { task, contract, change_digest: digest, same_edit: edit } = request.trailers;
  if (!taskForm.test(task)) throw new RangeError("a task id is visible ASCII without spaces");
  if (![digest, edit, ...(contract === null ? [] : [contract])].every((one) => digestForm.test(one))) {
    throw new RangeError("a trailer's digest is none");
  }
  const values = [task, contract ?? "none", digest, edit];
  return [
    plainTitle(request.title),
    "",
    contract === null ? "Acceptance: not machine-checked." : "Accepted by facts that the executor measured.",
    "",
    ...keys.map((key, index) => `${key}: ${values[index] ?? ""}`),
    "",
  ].join("\n");
}

/**
 * Reads the trailers back from the last paragraph. Null when one is missing, twice or malformed, so a message that only
 * quotes ours is not taken for one.
 */
export function parseTrailers(message: string): Trailers | null {
  const paragraphs = message
    .replace(/\r\n/gu, "\n")
    .trimEnd()
    .split(/\n{2,}/u);
  const last = paragraphs.length < 2 ? "" : (paragraphs.at(-1) ?? "");
  const values = keys.map((key) =>
    last
      .split("\n")
      .filter((line) => line.startsWith(`${key}: `))
      .map((line) => line.slice(key.length + 2)),
  );
  if (values.some((found) => found.length !== 1)) return null;
  const [task = "", contract = "", digest = "", edit = ""] = values.flat();
  if (!taskForm.test(task) || !isDigest(digest) || !isDigest(edit)) return null;
  if (contract === "none") return { task, contract: null, change_digest: digest, same_edit: edit };
  return isDigest(contract) ? { task, contract, change_digest: digest, same_edit: edit } : null;
}

function isDigest(text: string): text is Digest {
  return digestForm.test(text);
}
