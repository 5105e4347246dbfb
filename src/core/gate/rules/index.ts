import type { Rule } from "../rule.ts";
import { agentStop } from "./agent-stop.ts";
import { canary } from "./canary.ts";
import { caps } from "./caps.ts";
import { acceptanceRecords } from "./acceptance-records.ts";
import { claim } from "./claim.ts";
import { commands } from "./commands.ts";
import { content } from "./content.ts";
import { contractChanged } from "./contract-changed.ts";
import { contractSource, gateFirst } from "./contract-source.ts";
import { diffLint } from "./diff-lint.ts";
import { direction } from "./direction.ts";
import { generated } from "./generated.ts";
import { hazard } from "./hazard.ts";
import { heldOut } from "./held-out.ts";
import { minimumGrade } from "./minimum-grade.ts";
import { mutations } from "./mutations.ts";
import { noChange } from "./no-change.ts";
import { notBuilt } from "./not-built.ts";
import { notMeasured } from "./not-measured.ts";
import { nothingToCheck } from "./nothing-to-check.ts";
import { overrides } from "./overrides.ts";
import { policyRules } from "./policy-rules.ts";
import { prepare } from "./prepare.ts";
import { projects } from "./projects.ts";
import { recordLog } from "./record-log.ts";
import { protectedPath } from "./protected-path.ts";
import { runUnasked } from "./run-unasked.ts";
import { scope } from "./scope.ts";
import { services } from "./services.ts";
import { tests } from "./tests.ts";
import { trustRoot } from "./trust-root.ts";
import { vacuous } from "./vacuous.ts";

/** Every rule; those with criteria stand in the order in which the report shows them. */
export const rules: readonly Rule[] = [
  scope,
  caps,
  content,
  tests,
  commands,
  heldOut,
  generated,
  acceptanceRecords,
  recordLog,
  notBuilt,
  prepare,
  services,
  projects,
  runUnasked,
  contractChanged,
  contractSource,
  gateFirst,
  nothingToCheck,
  noChange,
  vacuous,
  hazard,
  protectedPath,
  trustRoot,
  notMeasured,
  direction,
  canary,
  diffLint,
  mutations,
  claim,
  agentStop,
  policyRules,
  minimumGrade,
  overrides,
];
