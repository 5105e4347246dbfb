import type { TestRunner } from "../../core/test-report/index.ts";
import { filtersNodeTestTitles, plantNodeTestCanary } from "./canary.ts";
import { readNodeTestConditions } from "./conditions.ts";
import { nodeTestFileFilters, pinNodeTestFiles, planNodeTestLaunch, refuseNodeTestVersion } from "./launch.ts";
import { nodeTestTerms, readOwnReport } from "./report-terms.ts";

/** node:test of node 20, 22 and 24. Test files run in processes of their own; the runner's main process holds the witness. */
export const nodeTestRunner: TestRunner = {
  name: "node-test",
  program: "node",
  refuseVersion: refuseNodeTestVersion,
  fileFilters: nodeTestFileFilters,
  pinFiles: pinNodeTestFiles,
  plantCanary: plantNodeTestCanary,
  filtersTitles: filtersNodeTestTitles,
  planLaunch: planNodeTestLaunch,
  readConditions: readNodeTestConditions,
  decodeReport: readOwnReport,
  reportTerms: nodeTestTerms,
};
