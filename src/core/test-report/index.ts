export { decodeChannel, type DecodedChannel } from "./decode-channel.ts";
export { decodeWitness, repositoryPath, type WitnessFacts, type WitnessInput } from "./decode-witness.ts";
export { excerpt, type ExcerptLimits } from "./excerpt.ts";
export {
  judgeReport,
  outcomeOfReport,
  unreadReport,
  type JudgedReport,
  type ReportFinding,
  type ReportFindingCode,
  type ReportQuestion,
} from "./judge-report.ts";
export {
  exactly,
  toRunnerReport,
  type HeaderClaim,
  type ReportContent,
  type ReportedCase,
  type ReportFlaw,
} from "./report-content.ts";
export type { ReportTerms, RunnerReport, SecondWitness } from "./second-witness.ts";
export type {
  LaunchPlan,
  LaunchRequest,
  PackageRunner,
  PlantRequest,
  RunnerConditions,
  TestName,
  TestRunner,
  ToolchainRunner,
} from "./test-runner.ts";
export type { EndMessage, InitMessage, RawCase, RawModule, StartMessage, WitnessMessage } from "./witness-messages.ts";
