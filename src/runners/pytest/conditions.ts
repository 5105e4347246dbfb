import { z } from "zod";
import type { EvidenceFault } from "../../core/facts/index.ts";
import type { InitMessage, RunnerConditions } from "../../core/test-report/index.ts";

/** What the witness says of how pytest runs; see `pytest-witness.py`. */
const settingsShape = z.strictObject({
  python: z.string(),
  /** Neither the environment nor the current directory could bring modules before pytest's own. */
  isolated: z.boolean(),
  /** Tests go to other processes, whose reports the witness does not follow. */
  workers: z.boolean(),
  configFile: z.string().nullable(),
});

/** What pytest's init frame proves: it was started apart from the repository, in one process, which its row of the isolation table counts. */
export function readPytestConditions(init: InitMessage): RunnerConditions {
  const [project] = init.projects;
  const settings = settingsShape.safeParse(project);
  const details = [
    ...(init.runner.name === "pytest" ? [] : [`the runner calls itself ${init.runner.name}`]),
    ...(settings.success && init.projects.length === 1 ? [] : ["the runner's settings cannot be read"]),
    ...(settings.data?.isolated === false ? ["python was not started in isolation"] : []),
    ...(settings.data?.workers === true ? ["tests were spread over worker processes"] : []),
  ];
  const config = settings.data?.configFile ?? null;
  return {
    faults: details.map((detail): EvidenceFault => ({ code: "isolation-not-seen", detail })),
    assertionsRequired: false,
    roots: config === null ? [] : [config],
  };
}
