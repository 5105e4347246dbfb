import { z } from "zod";
import type { EvidenceFault } from "../../core/facts/index.ts";
import type { InitMessage, RunnerConditions, StartMessage } from "../../core/test-report/index.ts";

/** What the witness's reporter says of one jest project; see `jest-project.cjs`. */
const projectShape = z.strictObject({
  name: z.string(),
  root: z.string(),
  /** The module that starts a process for each file; jest's own unless the configuration names another. */
  runner: z.string().nullable(),
  testRunner: z.string().nullable(),
  workerThreads: z.boolean(),
  detectOpenHandles: z.boolean(),
  bail: z.number(),
  passWithNoTests: z.boolean(),
  requireAssertions: z.boolean(),
  files: z.array(z.string()),
});

type Project = z.infer<typeof projectShape>;

const ownRunner = /\/node_modules\/jest-runner\/build\/index\.js$/u;

function projectFaults(project: Project): string[] {
  const name = project.name === "" ? "the project" : `project ${project.name}`;
  return [
    ...(ownRunner.test(project.runner ?? "") ? [] : [`${name} runs files by ${project.runner ?? "unknown"}`]),
    ...(project.workerThreads ? [`${name} runs files in threads`] : []),
    ...(project.detectOpenHandles ? [`${name} runs in jest's own process to detect open handles`] : []),
  ];
}

/**
 * What jest's init frame proves: every file ran in another process than jest's own, which files decided how, and whether
 * a test without an assertion fails. A project that cannot be read is a fault.
 */
export function readJestConditions(init: InitMessage, start: StartMessage | null): RunnerConditions {
  const parsed = init.projects.map((project) => projectShape.safeParse(project));
  const projects = parsed.flatMap((result) => (result.success ? [result.data] : []));
  const alone = (start?.modules ?? []).filter((item) => item.pool !== "process");
  const details = [
    ...(init.runner.name === "jest" ? [] : [`the runner calls itself ${init.runner.name}`]),
    ...(projects.length === parsed.length && projects.length > 0 ? [] : ["a project's settings cannot be read"]),
    ...projects.flatMap(projectFaults),
    ...alone.slice(0, 3).map((item) => `${item.file} was not seen to run in a process of its own`),
  ];
  return {
    faults: details.map((detail): EvidenceFault => ({ code: "isolation-not-seen", detail })),
    assertionsRequired: projects.length > 0 && projects.every((project) => project.requireAssertions),
    roots: [...new Set(projects.flatMap((project) => project.files))],
  };
}
