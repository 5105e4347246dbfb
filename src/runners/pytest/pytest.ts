import type { TestRunner } from "../../core/test-report/index.ts";
import { readPytestConditions } from "./conditions.ts";
import { planPytestLaunch, pytestFileFilters, refusePytestVersion } from "./launch.ts";

/** pytest 7, 8 and 9 of the machine's python. Tests run in the runner's own process, beside the witness. */
export const pytestRunner: TestRunner = {
  name: "pytest",
  program: "python",
  refuseVersion: refusePytestVersion,
  fileFilters: pytestFileFilters,
  planLaunch: planPytestLaunch,
  readConditions: readPytestConditions,
  decodeReport: () => "pytest's own report is not read",
};
