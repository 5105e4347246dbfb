/*
 * The second half of the witness for vitest 3, 4 and 5: a reporter that says over the channel what the runner
 * saw. It decides nothing: states, identities and counts are worked out by the executor from these frames.
 */
import { closureOf, entriesOf, errorsOf, projectOf, rawCounts, textOf } from "./vitest-project.mjs";

const parked = Symbol.for("trueup.witness.send");
const send = process[parked];
delete process[parked];
if (typeof send !== "function") throw new Error("trueup: the witness's channel is not there or was already taken");

/** Titles of the suites around an entity, outermost first. */
function suitePath(entity) {
  const titles = [];
  for (let parent = entity.parent; parent && parent.type === "suite"; parent = parent.parent)
    titles.unshift(parent.name);
  return titles;
}

function caseOf(testCase) {
  const result = testCase.result();
  const diagnostic = testCase.diagnostic();
  return {
    id: testCase.id,
    project: testCase.project?.name ?? "",
    file: testCase.module.moduleId,
    suite: suitePath(testCase),
    title: testCase.name,
    state: result?.state ?? "pending",
    mode: textOf(testCase.options?.mode),
    fails: testCase.options?.fails === true,
    retries: diagnostic?.retryCount ?? 0,
    errors: errorsOf(result?.errors),
  };
}

function moduleOf(testModule) {
  const errors = errorsOf(testModule.errors());
  for (const suite of testModule.children.allSuites()) {
    for (const text of errorsOf(suite.errors()))
      errors.push(`${[...suitePath(suite), suite.name].join(" > ")}: ${text}`);
  }
  return {
    id: testModule.id,
    project: testModule.project?.name ?? "",
    file: testModule.moduleId,
    state: testModule.state(),
    errors,
  };
}

/** Loaded by vitest from an absolute path in a read-only mount. */
export default class Witness {
  #vitest;

  onInit(vitest) {
    this.#vitest = vitest;
    const projects = [...new Set([...(vitest.projects ?? [])])];
    send({
      type: "init",
      version: 1,
      runner: { name: "vitest", version: vitest.version },
      projects: projects.map(projectOf),
    });
  }

  onTestRunStart(specifications) {
    const modules = specifications.map((item) => ({
      project: item.project?.name ?? "",
      file: item.moduleId,
      pool: textOf(item.pool),
    }));
    send({ type: "start", modules });
  }

  onTestCaseResult(testCase) {
    send({ type: "case", case: caseOf(testCase) });
  }

  onTestModuleEnd(testModule) {
    send({ type: "module", module: moduleOf(testModule) });
  }

  onTestRunEnd(testModules, unhandledErrors, reason) {
    const projects = [...new Set([...(this.#vitest.projects ?? [])])];
    const cases = testModules.flatMap((testModule) => Array.from(testModule.children.allTests(), caseOf));
    send({
      type: "end",
      reason: textOf(reason) ?? "unknown",
      cases,
      modules: testModules.map(moduleOf),
      unhandled: errorsOf(unhandledErrors),
      counts: rawCounts(this.#vitest),
      closure: closureOf(
        projects,
        entriesOf([...projects, { config: this.#vitest.config, vite: this.#vitest.vite ?? this.#vitest.server }]),
      ),
    });
  }
}
