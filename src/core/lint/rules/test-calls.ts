import { child, children, dottedName, walk, type Ancestors, type SyntaxNode } from "../../syntax-node.ts";
import type { LintContext, LintRuleName } from "../lint-hit.ts";

const testNames = /^(?:it|test|bench|specify|xit|fit|xtest|describe|suite|context|xdescribe|fdescribe)(?:\.|$)/u;
const suiteNames = /^x?f?(?:describe|suite|context)(?:\.|$)/u;
const asserting = /expect|assert|should|verify|check|match|must|throws|rejects|ensure|plan|snapshot|^t\./iu;

/** What is wrong with a call that declares a test or a suite. */
export function lintTestCall(node: SyntaxNode, _within: Ancestors, context: LintContext): readonly LintRuleName[] {
  if (node.type !== "CallExpression" || !context.isTest) return [];
  const name = dottedName(child(node, "callee"));
  if (name === null || !testNames.test(name)) return [];
  return [...lintModifiers(name, node), ...(suiteNames.test(name) ? [] : lintBody(node))];
}

function lintModifiers(name: string, node: SyntaxNode): readonly LintRuleName[] {
  const words = name.split(".");
  const options = children(node, "arguments").filter((one) => one.type === "ObjectExpression");
  const set = options.flatMap((one) => children(one, "properties")).map((one) => dottedName(child(one, "key")) ?? "");
  const has = (...wanted: string[]): boolean => wanted.some((word) => words.includes(word) || set.includes(word));
  return [
    ...(has("skip", "todo", "skipIf", "runIf") || name.startsWith("x") ? (["test-skipped"] as const) : []),
    ...(has("only") || /^f(?:it|describe)/u.test(name) ? (["test-focused"] as const) : []),
    ...(has("fails", "failing", "expectFailure") ? (["test-inverted"] as const) : []),
    ...(has("retry", "retries", "repeats") ? (["test-retried"] as const) : []),
  ];
}

function lintBody(node: SyntaxNode): readonly LintRuleName[] {
  const bodies = children(node, "arguments").filter((one) => /Function/u.test(one.type));
  const body = bodies.length === 0 ? null : child(bodies[bodies.length - 1] as SyntaxNode, "body");
  if (body === null) return [];
  if (body.type === "BlockStatement" && children(body, "body").length === 0) return ["test-empty"];
  for (const { node: below } of walk(body)) {
    if (below.type === "ThrowStatement") return [];
    if (/Call|New|Tagged|Member/u.test(below.type) && asserting.test(dottedName(child(below, "callee") ?? below) ?? ""))
      return [];
  }
  return ["test-asserts-nothing"];
}
