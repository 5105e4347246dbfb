"use strict";
/*
 * The second half of the witness for jest 29 and 30: a reporter in the runner's main process. It says over the channel
 * what jest told it; states, identities and counts are worked out by the executor from these frames.
 */
const fs = require("node:fs");
const path = require("node:path");
const { crashes, startedWorkers } = require("./jest-workers.cjs");
const { closureOf, configFilesOf, loadedModules, projectName, rootFilesOf, textOf } = require("./jest-project.cjs");

const parked = Symbol.for("trueup.witness.send");
const send = process[parked];
delete process[parked];
if (typeof send !== "function") throw new Error("trueup: the witness's channel is not there or was already taken");

const assertionsAsked = process.env.TRUEUP_ASSERTIONS === "1";
delete process.env.TRUEUP_ASSERTIONS;

const errorLimit = 2000;
const errorsPerEntity = 20;
const circus = /\/node_modules\/jest-circus\/(?:build\/)?runner\.js$/u;
const states = new Map([
  ["passed", "passed"],
  ["failed", "failed"],
  ["pending", "skipped"],
  ["skipped", "skipped"],
  ["disabled", "skipped"],
  ["todo", "skipped"],
]);

/** jest colours what it quotes. */
const colour = /\u001b\[[\d;]*m/gu;

const errorText = (error) => (textOf(error?.message) ?? String(error)).replace(colour, "").slice(0, errorLimit);
const errorsOf = (errors) =>
  Array.from(errors ?? [], (error) => errorText(textOf(error) ?? error)).slice(0, errorsPerEntity);

/** jest gives what a matcher throws the name of any error; what it says beside tells the two apart. */
function namedText(text, detail) {
  const matched = detail?.matcherResult !== undefined || detail?.error?.matcherResult !== undefined;
  // What node:assert throws, jest words anew, without its name.
  if (/^assert(?:\.\w+)*\(/u.test(text)) return `AssertionError: ${text}`;
  return matched ? text.replace(/^(?:JestAssertionError|Error)(?=: )/u, "AssertionError") : text;
}

const keyOf = (item) => JSON.stringify([item.ancestorTitles, item.title]);

function versionOf() {
  const bin = fs.realpathSync(process.argv[1]);
  return JSON.parse(fs.readFileSync(path.join(path.dirname(bin), "../package.json"), "utf8")).version;
}

/** Loaded by jest from an absolute path in a read-only mount. */
module.exports = class Witness {
  #global;
  #version = versionOf();
  /** By context: the configuration as the repository has it, and the one that runs. */
  #contexts = new Map();
  #started = [];
  #cases = [];
  #modules = [];
  /** States that each file's process told one by one, by file. */
  #told = new Map();

  constructor(globalConfig) {
    this.#global = globalConfig;
  }

  #contextOf(context) {
    const known = this.#contexts.get(context);
    if (known !== undefined) return known;
    const made = { own: context.config, amended: false };
    this.#contexts.set(context, made);
    return made;
  }

  /** Before a file goes to its process: a set-up file of ours behind the repository's, where assertions are asked for. */
  #amend(context) {
    const known = this.#contextOf(context);
    if (known.amended) return;
    known.amended = true;
    const config = known.own;
    const demand = path.join(__dirname, "jest-assertions.cjs");
    const marking = this.#version.startsWith("29.") && circus.test(config.testRunner);
    context.config = {
      ...config,
      ...(assertionsAsked ? { setupFilesAfterEnv: [...config.setupFilesAfterEnv, demand] } : {}),
      // jest 29 does not say of a pass that the test was written to fail.
      ...(marking
        ? { testRunner: path.join(__dirname, "jest-circus-runner.cjs"), ownTestRunner: config.testRunner }
        : {}),
    };
  }

  onTestFileStart(test) {
    this.#amend(test.context);
    this.#started.push({
      project: projectName(this.#contextOf(test.context).own, this.#global),
      file: test.path,
      pool: startedWorkers() > 0 ? "process" : "main",
    });
  }

  onTestCaseResult(test, result) {
    const told = this.#told.get(test.path) ?? [];
    told.push(JSON.stringify([keyOf(result), result.status]));
    this.#told.set(test.path, told);
  }

  /** The cases of one file; a pass that its process never told one by one is streamed as pending, so that lists part. */
  onTestFileResult(test, result) {
    const project = projectName(this.#contextOf(test.context).own, this.#global);
    const cases = result.testResults.map((item, index) =>
      this.#caseOf(item, { id: `${project}:${test.path}:${index}`, project, file: test.path }),
    );
    const told = this.#told.get(test.path) ?? [];
    this.#told.delete(test.path);
    for (const [index, one] of cases.entries()) {
      const line = JSON.stringify([keyOf(result.testResults[index]), "passed"]);
      const at = told.indexOf(line);
      const known = one.state !== "passed" || at !== -1;
      if (at !== -1 && one.state === "passed") told.splice(at, 1);
      send({ type: "case", case: known ? one : { ...one, state: "pending" } });
    }
    const module = this.#moduleOf(result, project, test.path);
    send({ type: "module", module });
    this.#cases.push(...cases);
    this.#modules.push(module);
  }

  #caseOf(item, { id, project, file }) {
    const state = states.get(item.status) ?? "pending";
    return {
      id,
      project,
      file,
      suite: item.ancestorTitles.map(String),
      title: String(item.title),
      state,
      mode: item.status === "todo" ? "todo" : state === "skipped" ? "skip" : "run",
      fails: item.failing === true,
      retries: Math.max(0, (item.invocations ?? 1) - 1),
      errors: errorsOf(item.failureMessages).map((text, index) => namedText(text, item.failureDetails?.[index])),
    };
  }

  #moduleOf(result, project, file) {
    const own = result.testExecError ?? null;
    const errors = own === null ? [] : [errorText(textOf(result.failureMessage) ?? own)];
    const failed = errors.length > 0 || result.numFailingTests > 0;
    const idle = result.skipped === true || (result.numPassingTests === 0 && !failed);
    return { id: `${project}:${file}`, project, file, state: failed ? "failed" : idle ? "skipped" : "passed", errors };
  }

  #projectOf(context) {
    const { own, amended } = this.#contextOf(context);
    const globals = this.#global;
    return {
      name: projectName(own, globals),
      root: own.rootDir,
      runner: textOf(own.runner),
      testRunner: textOf(own.testRunner),
      workerThreads: globals.workerThreads === true,
      detectOpenHandles: globals.detectOpenHandles === true,
      bail: Number(globals.bail),
      passWithNoTests: globals.passWithNoTests === true,
      requireAssertions: amended && assertionsAsked,
      files: rootFilesOf(own, globals),
    };
  }

  #closure(contexts) {
    const globals = this.#global;
    const own = contexts.map((context) => this.#contextOf(context).own);
    const directories = [...new Set([process.cwd(), globals.rootDir, ...own.map((config) => config.rootDir)])];
    const entries = [
      ...loadedModules(),
      ...configFilesOf(directories),
      ...own.flatMap((config) => rootFilesOf(config, globals)),
    ];
    return closureOf(
      entries,
      contexts.map((context) => context.resolver),
    );
  }

  onRunComplete(testContexts, results) {
    const contexts = [...testContexts];
    const good =
      results.numFailedTests === 0 &&
      results.numRuntimeErrorTestSuites === 0 &&
      results.numFailedTestSuites === 0 &&
      results.snapshot.failure !== true;
    send({
      type: "init",
      version: 1,
      runner: { name: "jest", version: this.#version },
      projects: contexts.map((context) => this.#projectOf(context)),
    });
    send({ type: "start", modules: this.#started });
    send({
      type: "end",
      reason: results.wasInterrupted === true ? "interrupted" : good ? "passed" : "failed",
      cases: this.#final(results),
      modules: this.#modules,
      unhandled: this.#unhandled(results),
      counts: { cases: results.numTotalTests, passed: results.numPassedTests, failed: results.numFailedTests },
      closure: this.#closure(contexts),
    });
    // jest itself would end with 0.
    if (crashes.length > 0) process.exitCode = 1;
  }

  /** The cases once more, with the states that jest's own final list has now. */
  #final(results) {
    const left = new Map();
    for (const file of results.testResults) {
      left.set(file.testFilePath, [...(left.get(file.testFilePath) ?? []), ...file.testResults]);
    }
    return this.#cases.map((one) => {
      const item = left.get(one.file)?.shift();
      return item === undefined ? { ...one, state: "pending" } : this.#caseOf(item, one);
    });
  }

  /** What jest says of the run apart from its tests. */
  #unhandled(results) {
    const missing = results.numTotalTestSuites - this.#modules.length;
    return [
      ...crashes.slice(0, errorsPerEntity),
      ...(results.runExecError ? [errorText(results.runExecError)] : []),
      ...(missing === 0
        ? []
        : [`${results.numTotalTestSuites} test files were planned, ${this.#modules.length} reported`]),
    ];
  }
};
