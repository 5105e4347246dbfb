// Nothing here loads a schema library: a command's wrapper pays for every import at each start.
export type * from "./record.ts";
export { standardRedactionRules, type RedactionData, type RedactionRules } from "./redaction-rules.ts";
export { redactArgv, redactText, type Redactor } from "./redact.ts";
export { secretValues } from "./secret-values.ts";
export { createStreamExcerpt, type StreamExcerpt, type StreamLimits } from "./stream-excerpt.ts";
export { encodeRecord, sealRecord } from "./seal-record.ts";
export { verifyLinks } from "./verify-chain.ts";
export { findRetryParent, retryChains, type RetryChain, type RetryQuestion } from "./retry-chains.ts";
export { openRecordLine } from "./record-line.ts";
