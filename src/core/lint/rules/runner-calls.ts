import { child, children, dottedName, stringValue, type Ancestors, type SyntaxNode } from "../../syntax-node.ts";
import type { LintContext, LintRuleName } from "../lint-hit.ts";

const sniffed =
  /^(?:process\.env|import\.meta\.env)\.(?:VITEST\w*|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|MOCHA_\w+|AVA_PATH|TEST_WORKER_INDEX)$|^import\.meta\.vitest$|^globalThis\.(?:expect|it|test|describe|jest|vi)$/u;
const testGlobals = /^(?:expect|it|test|describe|jest|vi|beforeEach|afterEach)$/u;
const results = /\.(?:task\.result|result\.state|result\.errors|testResult|assertionCalls|numPassingAsserts)(?:\.|$)/u;

/** Code that reaches into the runner, or asks whether one is there. */
export function lintRunnerCall(node: SyntaxNode, _within: Ancestors, context: LintContext): readonly LintRuleName[] {
  const found: LintRuleName[] = [];
  if (node.type === "CallExpression") found.push(...lintCall(node, context));
  if (!context.isTest && isSniffing(node)) found.push("runner-sniffed");
  if (node.type === "AssignmentExpression") found.push(...lintAssignment(child(node, "left")));
  return found;
}

function lintCall(node: SyntaxNode, context: LintContext): readonly LintRuleName[] {
  const name = dottedName(child(node, "callee")) ?? "";
  const first = children(node, "arguments")[0] ?? null;
  const found: LintRuleName[] = [];
  if (
    /^(?:vi|jest|mock|t\.mock)\.(?:do)?(?:mock|module|unstable_mockModule)$/iu.test(name) &&
    mocksSource(first, context)
  )
    found.push("unit-mocked");
  if (/(?:^|\.)expect\.extend$/u.test(name)) found.push("matcher-replaced");
  if (/^Object\.(?:defineProperty|assign)$/u.test(name) && /^expect(?:\.|$)/u.test(dottedName(first) ?? ""))
    found.push("matcher-replaced");
  if (/^Object\.(?:defineProperty|assign)$/u.test(name) && results.test(`${dottedName(first) ?? ""}.`))
    found.push("result-rewritten");
  if (context.isTest && /^process\.(?:exit|reallyExit|abort|kill)$/u.test(name)) found.push("process-ended");
  if (/^(?:vi|jest)\.(?:retryTimes|setConfig)$/u.test(name)) found.push("test-retried");
  return found;
}

function lintAssignment(left: SyntaxNode | null): readonly LintRuleName[] {
  const name = dottedName(left) ?? "";
  if (/^(?:globalThis\.)?expect\.|^Assertion\.prototype\.|^(?:globalThis\.)?expect$/u.test(name))
    return ["matcher-replaced"];
  if (/^process\.exitCode$/u.test(name)) return ["process-ended"];
  return results.test(name) ? ["result-rewritten"] : [];
}

function isSniffing(node: SyntaxNode): boolean {
  if (node.type.endsWith("MemberExpression")) return sniffed.test(dottedName(node) ?? "");
  if (node.type !== "UnaryExpression" || Reflect.get(node, "operator") !== "typeof") return false;
  return testGlobals.test(dottedName(child(node, "argument")) ?? "");
}

/** Whether a mocked module is one of the changed sources, by the last parts of its path without the extension. */
function mocksSource(argument: SyntaxNode | null, { path, changedSources }: LintContext): boolean {
  const named = stringValue(argument) ?? importedName(argument);
  if (named === null || !/^\.{0,2}\//u.test(named)) return false;
  const bare = (text: string): string => text.replace(/\.[cm]?[jt]sx?$/u, "");
  const wanted = bare(joinPath(path, named));
  return changedSources.some((source) => bare(source) === wanted || bare(source) === `${wanted}/index`);
}

/** `import("./x")` as vitest's mocks take it. */
function importedName(node: SyntaxNode | null): string | null {
  if (node === null) return null;
  return stringValue(child(node, "source") ?? children(node, "arguments")[0] ?? null);
}

function joinPath(from: string, to: string): string {
  const parts = to.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of to.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
