import type { TestRunner } from "../../core/test-report/index.ts";
import { canTwinPytest, filtersPytestTitles, namePytestStray, plantPytestCanary } from "./canary.ts";
import { readPytestConditions } from "./conditions.ts";
import { pinPytestFiles, planPytestLaunch, pytestFileFilters, refusePytestVersion } from "./launch.ts";
import { pytestTerms, readOwnReport } from "./report-terms.ts";

/** pytest 7, 8 and 9 of the machine's python. Tests run in the runner's own process, beside the witness. */
export const pytestRunner: TestRunner = {
  name: "pytest",
  program: "python",
  refuseVersion: refusePytestVersion,
  fileFilters: pytestFileFilters,
  pinFiles: pinPytestFiles,
  plantCanary: plantPytestCanary,
  canTwin: canTwinPytest,
  nameStray: namePytestStray,
  filtersTitles: filtersPytestTitles,
  planLaunch: planPytestLaunch,
  readConditions: readPytestConditions,
  decodeReport: readOwnReport,
  reportTerms: pytestTerms,
};
