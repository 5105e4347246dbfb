export { expandProjects, type ExpandedContract } from "./expand-projects.ts";
export { findAcceptanceFence, type AcceptanceFence, type FenceResult } from "./acceptance-fence.ts";
export { parseCommand, type CommandResult } from "./command-words.ts";
export type { Issue } from "./issue.ts";
export { describeZodIssues } from "./issue-words.ts";
export { contractJsonSchema } from "./json-schema.ts";
export { manifestSectionsChanged } from "./manifest-sections.ts";
export { builtRunners, notBuiltKeys, type NotBuilt } from "./not-built.ts";
export { parseContractJson, parseContractMarkdown, parseContractValue, type ContractResult } from "./parse-contract.ts";
export { mergeContracts } from "./merge-contracts.ts";
export { matchesAny } from "./match-globs.ts";
export { contractDigest, taskPrompt } from "./pin.ts";
export { protectedReason, type ProtectedContext } from "./protected-paths.ts";
export type { RunnerName } from "./runner-table.ts";
export {
  contractSchema,
  type AcceptanceContract,
  type HeldOutEntry,
  type StepEntry,
  type TestsEntry,
} from "./schema.ts";
export { parseStrictJson, type StrictJsonResult } from "./strict-json.ts";
export { isPlainProgram, parseTestCommand, type TestCommand, type TestCommandResult } from "./test-command.ts";
export { trustRootByName } from "./trust-roots.ts";
