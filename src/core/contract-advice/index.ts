export { baseFlaws } from "./base-flaws.ts";
export { doubtful, type BaseView, type ContractFlaw } from "./contract-flaw.ts";
export { draftContract, type Draft, type DraftNote } from "./draft-contract.ts";
export { lintContract, sortFlaws } from "./lint-contract.ts";
export { buildScripts } from "./test-flaws.ts";
