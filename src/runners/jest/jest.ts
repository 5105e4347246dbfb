import type { TestRunner } from "../../core/test-report/index.ts";
import { filtersJestTitles, plantJestCanary } from "./canary.ts";
import { readJestConditions } from "./conditions.ts";
import { decodeJestJson } from "./dialect.ts";
import { jestFileFilters, pinJestFiles, planJestLaunch, refuseJestVersion } from "./launch.ts";

/** jest 29 and 30. Test files run in worker processes; the runner's main process holds the witness. */
export const jestRunner: TestRunner = {
  name: "jest",
  packageName: "jest",
  bin: "jest",
  refuseVersion: refuseJestVersion,
  fileFilters: jestFileFilters,
  pinFiles: pinJestFiles,
  plantCanary: plantJestCanary,
  filtersTitles: filtersJestTitles,
  planLaunch: planJestLaunch,
  readConditions: readJestConditions,
  decodeReport: decodeJestJson,
};
