import type { Digest } from "../digest.ts";
import { findAcceptanceFence } from "./acceptance-fence.ts";
import { contractRuleIssues } from "./contract-rules.ts";
import { describeZodIssues } from "./issue-words.ts";
import type { Issue } from "./issue.ts";
import { contractDigest } from "./pin.ts";
import { contractSchema, type AcceptanceContract } from "./schema.ts";
import { parseStrictJson } from "./strict-json.ts";

/** A contract with the digest that pins it, or every reason why it is none. */
export type ContractResult =
  | { readonly ok: true; readonly contract: AcceptanceContract; readonly digest: Digest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const root = "contract";

/** Parses a contract from JSON text. Never throws for bad input. */
export function parseContractJson(text: string): ContractResult {
  const json = parseStrictJson(text, root);
  return json.ok ? parseContractValue(json.value) : json;
}

/** Parses the one `acceptance` block of a Markdown text; none, two or an unclosed one are issues. Never throws. */
export function parseContractMarkdown(text: string): ContractResult {
  const found = findAcceptanceFence(text);
  if (!found.ok) return found;
  if (found.fence === null) {
    return { ok: false, issues: [{ key: root, reason: "there is no fenced block with the info string `acceptance`" }] };
  }
  return parseContractJson(found.fence.text);
}

/** Checks a value that was read by the strict JSON parser: shape first, then the rules a schema cannot say. */
export function parseContractValue(value: unknown): ContractResult {
  const shape = contractSchema.safeParse(value);
  if (!shape.success) return { ok: false, issues: describeZodIssues(shape.error.issues, value, root) };
  const issues = contractRuleIssues(shape.data);
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, contract: shape.data, digest: contractDigest(shape.data) };
}
