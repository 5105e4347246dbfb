import { z } from "zod";
import type { EvidenceFault } from "../../core/facts/index.ts";
import type { InitMessage, RunnerConditions, StartMessage } from "../../core/test-report/index.ts";

/** What the witness's reporter says of how node ran; see `node-test-reporter.mjs`. */
const settingsShape = z.strictObject({ isolation: z.string(), nodeOptions: z.string().nullable() });

/**
 * What node:test's frames prove: every file ran in a process of its own, in which the witness's preload spoke first. node
 * has no configuration file, and no way to demand assertions.
 */
export function readNodeTestConditions(init: InitMessage, start: StartMessage | null): RunnerConditions {
  const [project] = init.projects;
  const settings = settingsShape.safeParse(project);
  const alone = (start?.modules ?? []).filter((item) => item.pool !== "process");
  const details = [
    ...(init.runner.name === "node-test" ? [] : [`the runner calls itself ${init.runner.name}`]),
    ...(settings.success && init.projects.length === 1 ? [] : ["the runner's settings cannot be read"]),
    ...(settings.data?.isolation === "process"
      ? []
      : [`files share a process: ${settings.data?.isolation ?? "unknown"}`]),
    ...(settings.data?.nodeOptions === null ? [] : ["node was given options by the environment"]),
    ...alone.slice(0, 3).map((item) => `${item.file} was not seen to start in a process of its own`),
  ];
  return {
    faults: details.map((detail): EvidenceFault => ({ code: "isolation-not-seen", detail })),
    assertionsRequired: false,
    roots: [],
  };
}
