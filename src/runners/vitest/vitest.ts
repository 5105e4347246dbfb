import type { TestRunner } from "../../core/test-report/index.ts";
import { filtersVitestTitles, plantVitestCanary } from "./canary.ts";
import { readVitestConditions } from "./conditions.ts";
import { decodeVitestJson } from "./dialect.ts";
import { pinVitestFiles, planVitestLaunch, refuseVitestVersion, vitestFileFilters } from "./launch.ts";

/** vitest 1 to 5. Test files run in processes of their own; the runner's main process holds the witness. */
export const vitestRunner: TestRunner = {
  name: "vitest",
  packageName: "vitest",
  bin: "vitest",
  refuseVersion: refuseVitestVersion,
  fileFilters: vitestFileFilters,
  pinFiles: pinVitestFiles,
  plantCanary: plantVitestCanary,
  filtersTitles: filtersVitestTitles,
  planLaunch: planVitestLaunch,
  readConditions: readVitestConditions,
  decodeReport: decodeVitestJson,
};
