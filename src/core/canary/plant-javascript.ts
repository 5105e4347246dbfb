import { parse } from "@babel/parser";
import type { PlantedTest } from "../facts/index.ts";
import {
  asNode,
  child,
  children,
  dottedName,
  parserPlugins,
  stringValue,
  walk,
  type Ancestors,
  type SyntaxNode,
} from "../syntax-node.ts";

/** How a runner's tests are written. */
export interface PlantDialect {
  /** Brings `suite`, `test` and `equal(a, b)` into a file under names of our own. */
  bind(
    names: { readonly suite: string; readonly test: string; readonly equal: string },
    kind: "module" | "script",
  ): string;
}

/**
 * A test file with must-fail tests in it: each as the last one inside the suite of its path where that suite is written in
 * the file with plain titles, so that hooks of the suite act on it too; else at the end. Null when the text is no whole code.
 */
export function plantJavaScript(
  source: { readonly path: string; readonly text: string },
  planted: readonly PlantedTest[],
  options: { readonly dialect: PlantDialect; readonly seed: string },
): string | null {
  const root = parseFile(source.path, source.text);
  if (root === null) return null;
  const names = namesOf(source.text, options.seed);
  const suites = findSuites(root);
  const inserts = new Map<number, string[]>();
  const atEnd: string[] = [];
  for (const one of planted) {
    const ends = suites.get(JSON.stringify(one.suite)) ?? [];
    if (ends.length === 0) atEnd.push(wrapped(one, names));
    for (const end of ends) inserts.set(end, [...(inserts.get(end) ?? []), testCode(one, names)]);
  }
  let text = source.text;
  for (const [end, code] of [...inserts].sort(([a], [b]) => b - a))
    text = `${text.slice(0, end)}\n${code.join("\n")}\n${text.slice(end)}`;
  return `${text}\n;${options.dialect.bind(names, isModule(source.path, root) ? "module" : "script")}\n${atEnd.join("\n")}\n`;
}

interface Names {
  readonly suite: string;
  readonly test: string;
  readonly equal: string;
}

/** Names that stand nowhere in the file. */
function namesOf(text: string, seed: string): Names {
  const tail = seed.replace(/[^0-9a-z]/giu, "").slice(-10);
  const free = (stem: string): string => {
    let name = `${stem}_${tail}`;
    while (text.includes(name)) name += "_";
    return name;
  };
  return { suite: free("group"), test: free("check"), equal: free("same") };
}

function testCode(one: PlantedTest, names: Names): string {
  const body = one.fails_by === "throw" ? `throw new Error("no");` : `${names.equal}("a", "b");`;
  return `${names.test}(${JSON.stringify(one.title)}, () => { ${body} });`;
}

function wrapped(one: PlantedTest, names: Names): string {
  return one.suite.reduceRight(
    (code, title) => `${names.suite}(${JSON.stringify(title)}, () => { ${code} });`,
    testCode(one, names),
  );
}

function parseFile(path: string, text: string): SyntaxNode | null {
  try {
    const sourceType = /\.c[jt]s$/u.test(path) ? "script" : "unambiguous";
    return asNode(parse(text, { sourceType, allowReturnOutsideFunction: true, plugins: parserPlugins(path) }).program);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

function isModule(path: string, root: SyntaxNode): boolean {
  return /\.m[jt]s$/u.test(path) || Reflect.get(root, "sourceType") === "module";
}

const suiteCalls = /(?:^|\.)(?:describe|suite|context)(?:\.(?:only|concurrent|sequential|shuffle))*$/u;

/** Where the bodies of the suites that are written with plain titles end, by their path; several may have one path. */
function findSuites(root: SyntaxNode): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  for (const { node, within } of walk(root)) {
    const end = bodyEnd(node);
    const path = end === null ? null : suitePath(node, within);
    if (end === null || path === null) continue;
    const key = JSON.stringify(path);
    found.set(key, [...(found.get(key) ?? []), end]);
  }
  return found;
}

/** Titles from the outermost suite inwards; null where a function that is no suite's may be called from anywhere. */
function suitePath(node: SyntaxNode, within: Ancestors): readonly string[] | null {
  const path = [suiteTitle(node)];
  let functions = 0;
  for (let at = within; at !== null; at = at.outer) {
    if (/Function|Method/u.test(at.node.type)) functions += 1;
    const outer = suiteTitle(at.node);
    if (outer !== null) path.unshift(outer);
  }
  const titles = path.filter((title) => title !== null);
  return titles.length === path.length && functions === path.length - 1 ? titles : null;
}

function suiteTitle(node: SyntaxNode): string | null {
  if (node.type !== "CallExpression" || !suiteCalls.test(dottedName(child(node, "callee")) ?? "")) return null;
  return stringValue(children(node, "arguments")[0] ?? null);
}

/** The place before the closing brace of a call's function; null where code there would never run. */
function bodyEnd(node: SyntaxNode): number | null {
  if (node.type !== "CallExpression") return null;
  const callback = children(node, "arguments").findLast((one) =>
    /^(?:ArrowFunction|Function)Expression$/u.test(one.type),
  );
  const body = callback === undefined ? null : child(callback, "body");
  if (body === null || body.type !== "BlockStatement") return null;
  const last = children(body, "body").at(-1);
  return last !== undefined && /^(?:Return|Throw)Statement$/u.test(last.type) ? null : body.end - 1;
}
