export { compareClaim, type ClaimRow } from "./compare-claim.ts";
export { evaluate } from "./evaluate.ts";
export { findingCodes, type FindingCode } from "./finding-codes.ts";
export { measureMovement, type MeasuredMovement } from "./measured-movement.ts";
export { parseClaim } from "./parse-claim.ts";
export { parseFacts, type FactsResult } from "./parse-facts.ts";
export type { GateInput, GatePolicy } from "./rule.ts";
export type * from "./verdict.ts";
