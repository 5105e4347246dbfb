import { describeZodIssues, parseStrictJson, type Issue } from "../contract/index.ts";
import { policySchema, type PolicyFile } from "./policy-schema.ts";

/** Where a repository says its policy. Only the copy of base counts. */
export const policyPath = ".trueup/config.json";

/** What holds where the file does not say it, or is not there. */
export const noPolicy: PolicyFile = { version: 1 };

/** The policy, or every key that is not understood: one that is not known could be one that was meant to forbid. */
export type PolicyResult =
  { readonly ok: true; readonly policy: PolicyFile } | { readonly ok: false; readonly issues: readonly Issue[] };

/** Reads the text of `.trueup/config.json` strictly. */
export function parsePolicy(text: string): PolicyResult {
  const json = parseStrictJson(text, "config");
  if (!json.ok) return json;
  const parsed = policySchema.safeParse(json.value);
  if (parsed.success) return { ok: true, policy: parsed.data };
  return { ok: false, issues: describeZodIssues(parsed.error.issues, json.value, "config") };
}
