/*
 * What both reporters for vitest say of a project and of an error. Part of the witness: read-only, beside them.
 */
const errorLimit = 2000;
const errorsPerEntity = 20;
const closureLimit = 5000;

export const textOf = (value) => (typeof value === "string" ? value : null);
const flag = (value) => (typeof value === "boolean" ? value : null);
const strings = (value) =>
  (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).filter(
    (item) => typeof item === "string",
  );

function errorText(error) {
  const name = textOf(error?.name) ?? "Error";
  const message = textOf(error?.message) ?? String(error);
  return `${name}: ${message}`.slice(0, errorLimit);
}

export const errorsOf = (errors) => Array.from(errors ?? [], errorText).slice(0, errorsPerEntity);

/** The modules one project knows, as ids with what each imports; the graph's shape differs between vite's majors. */
function graphsOf(project) {
  const vite = project.vite ?? project.server;
  const graphs = Object.values(vite?.environments ?? {}).map((environment) => environment?.moduleGraph);
  return [...graphs, vite?.moduleGraph].map((graph) => graph?.idToModuleMap).filter((map) => map instanceof Map);
}

/** Every file reachable from the entries over the projects' module graphs, entries included. */
export function closureOf(projects, entries) {
  const seen = new Set();
  const waiting = [...entries];
  const maps = projects.flatMap(graphsOf);
  while (waiting.length > 0 && seen.size < closureLimit) {
    const file = waiting.pop().replace(/[?#].*$/u, "");
    if (seen.has(file)) continue;
    seen.add(file);
    for (const map of maps) {
      for (const next of map.get(file)?.importedModules ?? []) if (typeof next.id === "string") waiting.push(next.id);
    }
  }
  return [...seen];
}

/** Files that decide how a project's tests run: what the executor takes from base. */
function rootFilesOf(project) {
  const config = project.config ?? {};
  const vite = (project.vite ?? project.server)?.config ?? {};
  const environment = textOf(config.environment);
  return {
    configFile: textOf(vite.configFile),
    configFileDependencies: strings(vite.configFileDependencies),
    setupFiles: strings(config.setupFiles),
    globalSetup: strings(config.globalSetup),
    runner: textOf(config.runner),
    environment,
    snapshotEnvironment: textOf(config.snapshotEnvironment),
    snapshotSerializers: strings(config.snapshotSerializers),
    diff: textOf(config.diff),
    coverageProvider: textOf(config.coverage?.customProviderModule),
    typecheckConfig: textOf(config.typecheck?.tsconfig),
  };
}

export function projectOf(project) {
  const config = project.config ?? {};
  const forks = config.poolOptions?.forks ?? {};
  return {
    name: project.name ?? "",
    root: textOf(config.root),
    pool: textOf(config.pool),
    isolate: flag(config.isolate),
    forksIsolate: flag(forks.isolate),
    singleFork: flag(forks.singleFork),
    browser: config.browser?.enabled === true,
    retry: typeof config.retry === "number" ? config.retry : (config.retry?.count ?? 0),
    allowOnly: flag(config.allowOnly),
    passWithNoTests: flag(config.passWithNoTests),
    dangerouslyIgnoreUnhandledErrors: flag(config.dangerouslyIgnoreUnhandledErrors),
    requireAssertions: flag(config.expect?.requireAssertions),
    include: strings(config.include),
    files: rootFilesOf(project),
  };
}

/** Entries of the closure that are files of their own, not package names. */
export function entriesOf(projects) {
  const files = projects
    .map(rootFilesOf)
    .flatMap((row) => [
      row.configFile,
      ...row.configFileDependencies,
      ...row.setupFiles,
      ...row.globalSetup,
      row.runner,
      row.environment,
      row.snapshotEnvironment,
      ...row.snapshotSerializers,
      row.diff,
      row.coverageProvider,
      row.typecheckConfig,
    ]);
  return [...new Set(files.filter((file) => file !== null && file.includes("/")))];
}

/** What the runner's own raw task tree counts, taken apart from the reported entities. */
export function rawCounts(vitest) {
  const counts = { cases: 0, passed: 0, failed: 0 };
  const waiting = [...vitest.state.getFiles()];
  while (waiting.length > 0) {
    const task = waiting.pop();
    if (Array.isArray(task.tasks)) waiting.push(...task.tasks);
    if (task.type !== "test" && task.type !== "custom") continue;
    counts.cases += 1;
    if (task.result?.state === "pass") counts.passed += 1;
    if (task.result?.state === "fail") counts.failed += 1;
  }
  return counts;
}
