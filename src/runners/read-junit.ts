import { SaxesParser } from "saxes";
import { capText, refuseBytes } from "./report-bytes.ts";

/** A child element of a case that says how it went. `rerun` stands for Surefire's flaky and rerun elements. */
export interface JunitOutcome {
  readonly kind: "failure" | "error" | "skipped" | "rerun";
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

export interface JunitCase {
  /** Index into `suites` of the suite that holds it. */
  readonly suite: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly outcomes: readonly JunitOutcome[];
}

export interface JunitSuite {
  /** Names from the outermost suite to this one; a `testsuites` root has none. */
  readonly path: readonly string[];
  /** Index of the suite around it; null for the root. */
  readonly parent: number | null;
  readonly attributes: Readonly<Record<string, string>>;
  /** Errors that the suite itself carries, outside any case. */
  readonly outcomes: readonly JunitOutcome[];
}

/** A JUnit file as it is written; what its words mean is each dialect's to say. The first suite is the root element. */
export interface JunitDocument {
  readonly suites: readonly JunitSuite[];
  readonly cases: readonly JunitCase[];
  /** Comments directly under the root. */
  readonly comments: readonly string[];
  /** Elements and texts that the format does not have, at most ten. */
  readonly strange: readonly string[];
}

const depthLimit = 100;
const sliceLength = 65_536;

const kinds: Readonly<Record<string, JunitOutcome["kind"]>> = {
  failure: "failure",
  error: "error",
  skipped: "skipped",
  flakyFailure: "rerun",
  flakyError: "rerun",
  rerunFailure: "rerun",
  rerunError: "rerun",
};
/** What carries no outcome and is not read. */
const silent = new Set(["properties", "system-out", "system-err"]);

type Open<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

/** Builds the document from parser events; holds what is open. */
class JunitBuilder {
  readonly suites: Open<JunitSuite>[] = [];
  readonly cases: Open<JunitCase>[] = [];
  readonly comments: string[] = [];
  readonly strange: string[] = [];
  fault: string | null = null;
  readonly #open: string[] = [];
  readonly #openSuites: number[] = [];
  #outcome: Open<JunitOutcome> | null = null;
  /** Depth at which reading is silent until its element closes; 0 when it is not. */
  #silentFrom = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.fault !== null) return;
    const parent = this.#open.at(-1) ?? null;
    this.#open.push(name);
    if (this.#open.length > depthLimit) this.fault = `the report nests deeper than ${depthLimit}`;
    if (this.#silentFrom > 0) return;
    if (parent === null && name !== "testsuites" && name !== "testsuite") {
      this.fault ??= `the root element is ${JSON.stringify(name.slice(0, 100))}, not testsuites or testsuite`;
    } else if (name === "testsuite" || parent === null) this.#openSuite(name, parent, attributes);
    else if (name === "testcase" && parent !== "testcase") {
      this.cases.push({ suite: this.#openSuites.at(-1) ?? 0, attributes, outcomes: [] });
    } else this.#openChild(name, parent, attributes);
  }

  #openSuite(name: string, parent: string | null, attributes: Readonly<Record<string, string>>): void {
    if (parent !== null && parent !== "testsuites" && parent !== "testsuite") this.note(`<${name}> in <${parent}>`);
    const around = this.#openSuites.at(-1) ?? null;
    const path = around === null ? [] : (this.suites[around]?.path ?? []);
    this.#openSuites.push(this.suites.length);
    const own = name === "testsuites" ? path : [...path, attributes["name"] ?? ""];
    this.suites.push({ path: [...own], parent: around, attributes, outcomes: [] });
  }

  #openChild(name: string, parent: string, attributes: Readonly<Record<string, string>>): void {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    this.#silentFrom = this.#open.length;
    if (kind === undefined) {
      if (!silent.has(name)) this.note(`<${name}> in <${parent}>`);
      return;
    }
    const { type = "", message = "" } = attributes;
    this.#outcome = { kind, type, message: capText(message), text: "" };
    const holder = parent === "testcase" ? this.cases.at(-1) : this.suites[this.#openSuites.at(-1) ?? 0];
    holder?.outcomes.push(this.#outcome);
  }

  text(text: string): void {
    if (this.#outcome !== null) {
      if (this.#outcome.text.length < 8000) this.#outcome.text += text;
    } else if (this.#silentFrom === 0 && this.#open.length > 0 && text.trim() !== "") {
      this.note(`text in <${this.#open.at(-1) ?? ""}>`);
    }
  }

  close(name: string): void {
    if (this.#silentFrom === this.#open.length) {
      if (this.#outcome !== null) this.#outcome.text = capText(this.#outcome.text.trim());
      this.#outcome = null;
      this.#silentFrom = 0;
    } else if (this.#silentFrom === 0 && (name === "testsuite" || name === "testsuites")) this.#openSuites.pop();
    this.#open.pop();
  }

  comment(text: string): void {
    if (this.#open.length === 1) this.comments.push(text);
  }

  note(what: string): void {
    if (this.strange.length < 10) this.strange.push(what.slice(0, 200));
  }
}

function connect(builder: JunitBuilder): SaxesParser {
  const parser = new SaxesParser();
  parser.on("error", (error) => (builder.fault ??= `the report is not whole XML: ${error.message}`.slice(0, 300)));
  parser.on("doctype", () => (builder.fault ??= "the report has a DOCTYPE, which no runner writes"));
  parser.on("processinginstruction", () => (builder.fault ??= "the report has a processing instruction"));
  parser.on("xmldecl", ({ encoding = "utf-8" }) => {
    if (encoding.toLowerCase() !== "utf-8") builder.fault ??= `the report is in ${encoding.slice(0, 40)}, not UTF-8`;
  });
  parser.on("opentag", (tag) => builder.open(tag.name, tag.attributes));
  parser.on("closetag", (tag) => builder.close(tag.name));
  parser.on("text", (text) => builder.text(text));
  parser.on("cdata", (text) => builder.text(text));
  parser.on("comment", (text) => builder.comment(text));
  return parser;
}

/** Characters that XML cannot hold. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu;

/**
 * Reads a JUnit file strictly: well-formed to the last byte, UTF-8, no DOCTYPE, no entity but XML's own five, nesting
 * limited. Runners copy control codes of test names into it, which XML forbids; they stand as U+FFFD. A string says why
 * it cannot be read. Never throws.
 */
export function readJunit(bytes: Uint8Array): JunitDocument | string {
  const refused = refuseBytes(bytes);
  if (refused !== null) return refused;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "the report is not UTF-8";
  }
  const builder = new JunitBuilder();
  const parser = connect(builder);
  for (let at = 0; at < text.length && builder.fault === null; at += sliceLength) {
    parser.write(text.slice(at, at + sliceLength).replace(forbidden, "\ufffd"));
  }
  if (builder.fault === null) parser.close();
  const { suites, cases, comments, strange } = builder;
  return builder.fault ?? { suites, cases, comments, strange };
}
