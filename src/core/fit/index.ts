export { deriveTests, type DerivedTests, type ShownTests } from "./derive-tests.ts";
export { findDrift, lastKnownGood, parseLastKnownGood, type LastKnownGood } from "./find-drift.ts";
export {
  decideOutcome,
  fitSteps,
  type ChosenContract,
  type ContractSource,
  type Drift,
  type FitReason,
  type FitReport,
  type FitRun,
  type FitStep,
  type FitTiming,
} from "./fit-report.ts";
export { judgeBase, runOf, type BaseJudgement } from "./judge-base.ts";
export { isLfsPath, isLfsPointer, lfsPatterns } from "./lfs-pointers.ts";
