export { applyRules, type ChangedText } from "./apply-rules.ts";
export { applyPolicy } from "./apply-policy.ts";
export { chooseProfile } from "./choose-profile.ts";
export { explainPolicy, policyKeys, type ExplainedKey } from "./explain-policy.ts";
export { noPolicy, parsePolicy, policyPath, type PolicyResult } from "./parse-policy.ts";
export { policyJsonSchema, type PolicyFile } from "./policy-schema.ts";
export { isStrictFor } from "./strict-branch.ts";
