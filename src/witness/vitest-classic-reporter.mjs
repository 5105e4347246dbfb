/*
 * The second half of the witness for vitest 1 and 2, which tell reporters about raw tasks: it says over the channel what
 * the runner saw. It decides nothing. A file's cases are said when the file has ended, and all again at the end.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { closureOf, entriesOf, errorsOf, projectOf, rawCounts, textOf } from "./vitest-project.mjs";

const parked = Symbol.for("trueup.witness.send");
const send = process[parked];
delete process[parked];
if (typeof send !== "function") throw new Error("trueup: the witness's channel is not there or was already taken");

const finished = { pass: "passed", fail: "failed" };

/** Titles of the suites around a task, outermost first; the file itself is no suite. */
function suitePath(task) {
  const titles = [];
  for (let suite = task.suite; suite && suite.filepath === undefined && suite.name !== ""; suite = suite.suite)
    titles.unshift(suite.name);
  return titles;
}

function* tasksBelow(file) {
  for (const task of file.tasks ?? []) {
    yield task;
    yield* tasksBelow(task);
  }
}

const isCase = (task) => task.type === "test" || task.type === "custom";

function caseOf(task, file) {
  const state = task.result?.state;
  const left = task.mode === "skip" || task.mode === "todo" || state === "skip" ? "skipped" : "pending";
  return {
    id: task.id,
    project: file.projectName ?? "",
    file: file.filepath,
    suite: suitePath(task),
    title: task.name,
    state: finished[state] ?? left,
    mode: textOf(task.mode),
    fails: task.fails === true,
    retries: task.result?.retryCount ?? 0,
    errors: errorsOf(task.result?.errors),
  };
}

function moduleOf(file) {
  const errors = errorsOf(file.result?.errors);
  for (const task of tasksBelow(file)) {
    if (isCase(task)) continue;
    for (const text of errorsOf(task.result?.errors))
      errors.push(`${[...suitePath(task), task.name].join(" > ")}: ${text}`);
  }
  const left = file.mode === "skip" || file.result?.state === "skip" ? "skipped" : "queued";
  return {
    id: file.id,
    project: file.projectName ?? "",
    file: file.filepath,
    state: finished[file.result?.state] ?? left,
    errors,
  };
}

const casesOf = (file) =>
  Array.from(tasksBelow(file))
    .filter(isCase)
    .map((task) => caseOf(task, file));

/** A project with its name as a plain property, as later versions have it. */
const named = (project) => ({ name: project.getName?.() ?? "", config: project.config, server: project.server });

/** vitest 1 does not say its version; the manifest beside the script that node was given does. */
function versionOf(vitest) {
  if (typeof vitest.version === "string") return vitest.version;
  return JSON.parse(readFileSync(path.join(path.dirname(process.argv[1]), "package.json"), "utf8")).version;
}

/** Loaded by vitest from an absolute path in a read-only mount. */
export default class Witness {
  #vitest;
  #projects = [];
  #started = false;
  #paths = [];

  onInit(vitest) {
    this.#vitest = vitest;
    this.#introduce();
  }

  /** Some versions know their projects only after the first look at the files. */
  #introduce() {
    if (this.#projects.length > 0) return;
    this.#projects = Array.from(new Set(this.#vitest.projects ?? []), named);
    if (this.#projects.length === 0) return;
    const runner = { name: "vitest", version: versionOf(this.#vitest) };
    send({ type: "init", version: 1, runner, projects: this.#projects.map(projectOf) });
  }

  onPathsCollected(paths) {
    this.#introduce();
    this.#paths = paths ?? [];
  }

  onSpecsCollected(specifications) {
    const modules = (specifications ?? []).map(([project, file, options]) => ({
      project: project?.name ?? "",
      file,
      pool: textOf(options?.pool ?? this.#poolOf()),
    }));
    this.#start(modules);
  }

  /** The one pool of all projects; null where a project sends some files elsewhere. */
  #poolOf() {
    const pools = new Set(this.#projects.map(({ config }) => config?.pool));
    const mixed = this.#projects.some(({ config }) => (config?.poolMatchGlobs ?? []).length > 0);
    return pools.size === 1 && !mixed ? [...pools][0] : null;
  }

  #start(modules) {
    if (this.#started) return;
    this.#started = true;
    send({ type: "start", modules });
  }

  onTaskUpdate(packs) {
    for (const [id] of packs) {
      const file = this.#vitest.state.idMap.get(id);
      if (file?.filepath === undefined || finished[file.result?.state] === undefined) continue;
      for (const item of casesOf(file)) send({ type: "case", case: item });
      send({ type: "module", module: moduleOf(file) });
    }
  }

  onFinished(files, unhandledErrors) {
    const all = files ?? [];
    if (!this.#started) {
      const projectOfFile = new Map(all.map((file) => [file.filepath, file.projectName ?? ""]));
      const pool = textOf(this.#poolOf());
      this.#start(this.#paths.map((file) => ({ project: projectOfFile.get(file) ?? "", file, pool })));
    }
    const unhandled = errorsOf(unhandledErrors);
    const modules = all.map(moduleOf);
    const good = all.length > 0 && unhandled.length === 0 && modules.every((item) => item.state !== "failed");
    send({
      type: "end",
      reason: good ? "passed" : "failed",
      cases: all.flatMap(casesOf),
      modules,
      unhandled,
      counts: rawCounts(this.#vitest),
      closure: closureOf(this.#projects, entriesOf([...this.#projects, this.#vitest])),
    });
  }
}
