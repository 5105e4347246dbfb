/*
 * The second half of the witness for node:test 20 to 24: a reporter in the runner's main process, which runs no code
 * of the repository. It says over the channel what each file's process reported; states, identities and counts are
 * worked out by the executor. The preload makes every file's process print one empty line before anything else, and
 * node reports the events of a file together: so each event is known to belong to the file that last printed first.
 */
import path from "node:path";

const parked = Symbol.for("trueup.witness.send");
const send = process[parked];
delete process[parked];
if (typeof send !== "function") throw new Error("trueup: the witness's channel is not there or was already taken");

const errorLimit = 2000;
const errorsPerFile = 20;
const late = /asynchronous activity after the test ended/u;
const countLine = /^(tests|pass|fail|cancelled) (\d+)$/u;

const absolute = (file) => path.resolve(process.cwd(), file);

function errorText(error) {
  const cause = error?.cause instanceof Object ? error.cause : error;
  const name = typeof cause?.name === "string" ? cause.name : "Error";
  const message = typeof cause?.message === "string" ? cause.message : String(error?.cause ?? error);
  return `${name}: ${message}`.slice(0, errorLimit);
}

/** How node was told to keep test files apart; a process each, unless a flag says something else. */
function isolation() {
  const flags = process.execArgv.filter((word) => /^--(?:experimental-)?test-isolation(?:=|$)/u.test(word));
  const last = flags.at(-1);
  return last === undefined ? "process" : last.slice(last.indexOf("=") + 1);
}

/** All that is known of one test file. */
const openFile = (file) => ({ file, marked: false, summarised: false, cases: 0, open: new Map(), errors: [] });

const isSkipped = (data) => data.skip !== undefined || data.todo !== undefined;

function modeOf(data) {
  if (data.skip !== undefined) return "skip";
  return data.todo === undefined ? "run" : "todo";
}

const keyOf = (data) => JSON.stringify([data.nesting, data.name]);

function addError(known, text) {
  if (known !== undefined && known !== null && known.errors.length < errorsPerFile) known.errors.push(text);
}

function moduleOf(known) {
  const state = known.errors.length > 0 ? "failed" : "passed";
  return { id: known.file, project: "", file: known.file, state, errors: known.errors };
}

/** What one run said so far. */
class Run {
  /** By absolute path, in the order in which node planned them. */
  #files = new Map();
  #cases = [];
  #unhandled = [];
  /** node's own counts, and how many entries among them are files and no tests. */
  #counts = { tests: 0, pass: 0, fail: 0, cancelled: 0 };
  #fileEntries = { pass: 0, fail: 0 };
  #current = null;
  #titles = [];
  #success = true;
  #summaries = false;
  #interrupted = false;

  take({ type, data }) {
    if (type === "test:enqueue") this.#onEnqueue(data);
    else if (type === "test:stdout") this.#onOutput(data);
    else if (type === "test:start") this.#onStart(data);
    else if (type === "test:pass") this.#onResult(data, true);
    else if (type === "test:fail") this.#onResult(data, false);
    else if (type === "test:summary") this.#onSummary(data);
    else if (type === "test:diagnostic") this.#onDiagnostic(data);
    else if (type === "test:interrupted") this.#interrupted = true;
  }

  /** A file that the runner plans is said before the first process of a file could speak. */
  #onEnqueue(data) {
    if (this.#current !== null) return this.#track(data, 1);
    const file = absolute(data.name);
    if (data.nesting === 0 && file === data.file && !this.#files.has(file)) this.#files.set(file, openFile(file));
  }

  /** Keeps how often each name was begun and not yet ended. */
  #track(data, step) {
    const { open } = this.#current;
    open.set(keyOf(data), (open.get(keyOf(data)) ?? 0) + step);
  }

  #onOutput(data) {
    const known = typeof data.file === "string" ? this.#files.get(absolute(data.file)) : undefined;
    if (known === undefined || known.marked) return;
    known.marked = true;
    this.#current = known;
    this.#titles = [];
  }

  #onStart(data) {
    this.#titles.length = data.nesting;
    this.#titles[data.nesting] = data.name;
  }

  /** The end of a test, of a suite, or of a whole file that reported nothing or failed by itself. */
  #onResult(data, passed) {
    const own = data.nesting === 0 ? this.#files.get(absolute(data.name)) : undefined;
    if (own !== undefined && !this.#current?.open.get(keyOf(data))) this.#onFile(own, data, passed);
    else if (this.#current === null) this.#unhandled.push(`a result of no file: ${data.name}`);
    else {
      this.#track(data, -1);
      if (data.details?.type === "suite") this.#onSuite(data, passed);
      else this.#onCase(data, passed);
    }
  }

  #onCase(data, passed) {
    const state = isSkipped(data) ? "skipped" : passed ? "passed" : "failed";
    const one = {
      id: String(this.#cases.length),
      project: "",
      file: this.#current.file,
      suite: this.#titles.slice(0, data.nesting).map(String),
      title: String(data.name),
      state,
      mode: modeOf(data),
      fails: data.expectFailure !== undefined,
      retries: Number.isInteger(data.details?.attempt) ? data.details.attempt : 0,
      errors: state === "failed" ? [errorText(data.details?.error)] : [],
    };
    this.#current.cases += 1;
    this.#cases.push(one);
    send({ type: "case", case: one });
  }

  /** A file that reported nothing stays without a case: node would count it as a test that passed. */
  #onFile(own, data, passed) {
    this.#fileEntries[passed ? "pass" : "fail"] += 1;
    if (!passed) addError(own, errorText(data.details?.error));
  }

  /** A suite is no test: what is its own is a hook that failed or a body that threw. */
  #onSuite(data, passed) {
    const error = data.details?.error;
    if (passed || data.todo !== undefined || error?.failureType === "subtestsFailed") return;
    addError(this.#current, `${[...this.#titles.slice(0, data.nesting), data.name].join(" > ")}: ${errorText(error)}`);
  }

  #onSummary(data) {
    this.#summaries = true;
    const known = typeof data.file === "string" ? this.#files.get(absolute(data.file)) : undefined;
    if (known !== undefined) known.summarised = true;
    if (data.file === undefined) this.#success = data.success === true;
  }

  /** The runner's own numbers come last, one a line; the last of each counts. */
  #onDiagnostic(data) {
    const [, name, number] = countLine.exec(data.message) ?? [];
    if (name !== undefined && data.nesting === 0) this.#counts[name] = Number(number);
    if (late.test(data.message)) this.#unhandled.push(String(data.message).slice(0, errorLimit));
  }

  /** A file whose process ended before its tests did, as after `process.exit(0)`, exits with 0 and loses the rest. */
  #checkEnded(known) {
    const left = [...known.open].filter(([, number]) => number > 0).map(([key]) => JSON.parse(key)[1]);
    if (left.length > 0) addError(known, `${left.length} tests began and never ended: ${left.slice(0, 5).join(", ")}`);
    else if (this.#summaries && known.cases > 0 && !known.summarised)
      addError(known, "the file's process ended before its tests");
  }

  #reason(modules) {
    if (this.#interrupted) return "interrupted";
    const good = this.#success && this.#counts.fail + this.#counts.cancelled === 0;
    return good && modules.every((one) => one.state === "passed") ? "passed" : "failed";
  }

  /** Says all that is known; which files were planned is said with it, since only now it is known how each started. */
  end() {
    const known = [...this.#files.values()];
    for (const one of known) this.#checkEnded(one);
    const modules = known.map(moduleOf);
    send({
      type: "start",
      modules: known.map((one) => ({ project: "", file: one.file, pool: one.marked ? "process" : null })),
    });
    for (const one of modules) send({ type: "module", module: one });
    const { tests, pass, fail, cancelled } = this.#counts;
    send({
      type: "end",
      reason: this.#reason(modules),
      cases: this.#cases,
      modules,
      unhandled: this.#unhandled,
      counts: {
        cases: tests - this.#fileEntries.pass - this.#fileEntries.fail,
        passed: pass - this.#fileEntries.pass,
        failed: fail + cancelled - this.#fileEntries.fail,
      },
      closure: [],
    });
  }
}

send({
  type: "init",
  version: 1,
  runner: { name: "node-test", version: process.versions.node },
  projects: [{ isolation: isolation(), nodeOptions: process.env.NODE_OPTIONS ?? null }],
});

/** Loaded by node from an absolute path in a read-only mount; it prints nothing. */
export default async function* witness(source) {
  const run = new Run();
  for await (const event of source) run.take(event);
  run.end();
  yield* [];
}
