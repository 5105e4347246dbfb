import { z } from "zod";
import type { EvidenceFault } from "../../core/facts/index.ts";
import type { InitMessage, RunnerConditions, StartMessage } from "../../core/test-report/index.ts";

const paths = z.array(z.string());
const optionalPath = z.string().nullable();

/** What the witness's reporter says of one vitest project; see `vitest-reporter.mjs`. */
const projectShape = z.strictObject({
  name: z.string(),
  root: z.string().nullable(),
  pool: z.string().nullable(),
  isolate: z.boolean().nullable(),
  /** vitest 3 only, null elsewhere. */
  forksIsolate: z.boolean().nullable(),
  singleFork: z.boolean().nullable(),
  browser: z.boolean(),
  retry: z.number(),
  allowOnly: z.boolean().nullable(),
  passWithNoTests: z.boolean().nullable(),
  dangerouslyIgnoreUnhandledErrors: z.boolean().nullable(),
  requireAssertions: z.boolean().nullable(),
  include: z.array(z.string()),
  files: z.strictObject({
    configFile: optionalPath,
    configFileDependencies: paths,
    setupFiles: paths,
    globalSetup: paths,
    runner: optionalPath,
    environment: optionalPath,
    snapshotEnvironment: optionalPath,
    snapshotSerializers: paths,
    diff: optionalPath,
    coverageProvider: optionalPath,
    typecheckConfig: optionalPath,
  }),
});

type Project = z.infer<typeof projectShape>;

/** Pools in which the test code has a process of its own, or in which none runs (`typescript` only type-checks). */
const separatePools = new Set(["forks", "typescript"]);

function projectFaults(project: Project): string[] {
  const name = project.name === "" ? "the project" : `project ${project.name}`;
  return [
    ...(project.pool === "forks" ? [] : [`${name} runs in the pool ${project.pool ?? "unknown"}`]),
    ...(project.isolate === true && project.forksIsolate !== false && project.singleFork !== true
      ? []
      : [`${name} does not isolate its files`]),
    ...(project.browser ? [`${name} runs in a browser`] : []),
    ...(project.dangerouslyIgnoreUnhandledErrors === true ? [`${name} ignores unhandled errors`] : []),
  ];
}

/** A path as the project's own root gives it; bare names (packages, built-in environments) are no files. */
function resolveFile(project: Project, file: string): string | null {
  if (file.startsWith("/")) return file;
  if (!/^\.{1,2}\//u.test(file) || project.root === null) return null;
  return new URL(file, `file://${project.root}/`).pathname;
}

function rootsOf(project: Project): string[] {
  const files = project.files;
  const single = [
    files.configFile,
    files.runner,
    files.environment,
    files.snapshotEnvironment,
    files.diff,
    files.coverageProvider,
    files.typecheckConfig,
  ];
  const all = [
    ...single,
    ...files.configFileDependencies,
    ...files.setupFiles,
    ...files.globalSetup,
    ...files.snapshotSerializers,
  ];
  return all.flatMap((file) => (file === null ? [] : [resolveFile(project, file) ?? []].flat()));
}

/**
 * What vitest's init frame proves: every file ran in a process of its own, which files decided how, and whether a
 * test without an assertion fails. A project that cannot be read is a fault.
 */
export function readVitestConditions(init: InitMessage, start: StartMessage | null): RunnerConditions {
  const parsed = init.projects.map((project) => projectShape.safeParse(project));
  const projects = parsed.flatMap((result) => (result.success ? [result.data] : []));
  const pools = (start?.modules ?? []).filter((item) => !separatePools.has(item.pool ?? ""));
  const details = [
    ...(init.runner.name === "vitest" ? [] : [`the runner calls itself ${init.runner.name}`]),
    ...(projects.length === parsed.length && projects.length > 0 ? [] : ["a project's settings cannot be read"]),
    ...projects.flatMap(projectFaults),
    ...pools.slice(0, 3).map((item) => `${item.file} ran in the pool ${item.pool ?? "unknown"}`),
  ];
  return {
    faults: details.map((detail): EvidenceFault => ({ code: "isolation-not-seen", detail })),
    assertionsRequired: projects.length > 0 && projects.every((project) => project.requireAssertions === true),
    roots: [...new Set(projects.flatMap(rootsOf))],
  };
}
