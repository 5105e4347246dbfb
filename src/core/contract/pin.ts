import { digestOf, type Digest } from "../digest.ts";
import { findAcceptanceFence } from "./acceptance-fence.ts";
import type { AcceptanceContract } from "./schema.ts";

/** The digest of the block's canonical JSON as it was written: order of keys and white space do not count, nothing is filled in. */
export function contractDigest(contract: AcceptanceContract): Digest {
  return digestOf(contract);
}

/** What an agent may see of a contract: all but the held-out tests, of which not even the number shows. */
export function publicProjection(contract: AcceptanceContract): AcceptanceContract {
  const { held_out_tests: _hidden, ...shown } = contract;
  return shown;
}

/** The agent's prompt: the body with its block replaced by the public projection, or with that appended when it has none. */
export function taskPrompt(markdownBody: string, contract: AcceptanceContract | null): string {
  const found = findAcceptanceFence(markdownBody);
  // A body that cannot be read might still hold a hidden test: such a task is refused before anyone asks for its prompt.
  if (!found.ok) throw new TypeError(`the body is not one that was admitted: ${found.issues[0]?.reason ?? ""}`);
  if (contract === null) return markdownBody;
  const block = ["```acceptance", ...JSON.stringify(publicProjection(contract), null, 2).split("\n"), "```"];
  if (found.fence === null) return `${markdownBody.trimEnd()}\n\n${block.join("\n")}\n`;
  const { start, end } = found.fence;
  const prefix = continuationPrefix(markdownBody, start);
  return markdownBody.slice(0, start) + block.join(`\n${prefix}`) + markdownBody.slice(end);
}

/** What later lines of a block inside a quote or list item begin with: `- ` becomes two spaces, `> ` stays. */
function continuationPrefix(text: string, start: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", start - 1), text.lastIndexOf("\r", start - 1)) + 1;
  return text.slice(lineStart, start).replace(/[^>\t]/gu, " ");
}
