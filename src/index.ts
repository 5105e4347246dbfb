export {
  contractDigest,
  contractJsonSchema,
  contractSchema,
  parseContractJson,
  parseContractMarkdown,
  type AcceptanceContract,
  type ContractResult,
} from "./core/contract/index.ts";
export { canonicalJson, digestOf, sha256, type Digest } from "./core/digest.ts";
export type * from "./core/facts/index.ts";
export { evaluate, findingCodes, type FindingCode, type GateInput, type GatePolicy } from "./core/gate/index.ts";
export type { CriterionResult, Finding, Grade, Verdict } from "./core/gate/verdict.ts";
export { parseTaskFile, type Task, type TaskResult } from "./core/task/index.ts";
export { exitCodeOf, TrueupError, type ErrorCategory, type ErrorCode } from "./errors.ts";
export { regate, type ReadArtifact, type RegateResult } from "./app/gate-artifacts/regate.ts";
export {
  renderAcceptanceJson,
  renderMarkdown,
  renderPullRequestBody,
  renderTerminal,
  type Report,
} from "./reporters/index.ts";
