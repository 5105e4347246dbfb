import { child, children, dottedName, walk, type Ancestors, type SyntaxNode } from "../../syntax-node.ts";
import type { LintContext, LintRuleName } from "../lint-hit.ts";

const equalities = /\.(?:toBe|toEqual|toStrictEqual|equal|equals|deepEqual|strictEqual|deepStrictEqual)$/u;
const settingUp = /^(?:assert|expect)(?:\.|$)/u;

/** Assertions that hold whatever the code does. */
export function lintAssertion(node: SyntaxNode, within: Ancestors, context: LintContext): readonly LintRuleName[] {
  if (node.type !== "CallExpression" || !context.isTest) return [];
  const name = dottedName(child(node, "callee"));
  if (name === null || !settingUp.test(name)) return [];
  return [
    ...(isTautology(node, name) ? (["assertion-tautology"] as const) : []),
    ...(isSwallowed(within) ? (["assertion-swallowed"] as const) : []),
  ];
}

function isTautology(node: SyntaxNode, name: string): boolean {
  if (!equalities.test(name)) return false;
  const args = children(node, "arguments");
  const receiver = child(child(node, "callee") ?? node, "object");
  const given = receiver?.type === "CallExpression" ? children(receiver, "arguments") : [];
  const [left, right] = given.length === 0 ? args : [given[0], args[0]];
  if (left === undefined || right === undefined) return false;
  return shapeOf(left) === shapeOf(right);
}

/** Two expressions are the same when everything but their places is. */
function shapeOf(node: SyntaxNode): string {
  const parts: string[] = [];
  for (const { node: below } of walk(node)) {
    const { name, value, operator } = below as SyntaxNode & { readonly name?: unknown; readonly operator?: unknown };
    const word = [name, value, operator].find((one) => typeof one !== "object" && one !== undefined);
    parts.push(`${below.type}:${String(word)}`);
  }
  return parts.join(" ");
}

/** Inside a `try` whose `catch` neither throws nor asserts: a failed assertion would go nowhere. */
function isSwallowed(within: Ancestors): boolean {
  for (let [at, inner]: [Ancestors, SyntaxNode | null] = [within, null]; at !== null; at = at.outer) {
    if (/Function/u.test(at.node.type)) return false;
    if (at.node.type === "TryStatement" && inner !== null && child(at.node, "block") === inner) {
      const handler = child(at.node, "handler");
      if (handler !== null && !speaks(handler)) return true;
    }
    inner = at.node;
  }
  return false;
}

function speaks(handler: SyntaxNode): boolean {
  for (const { node } of walk(handler)) {
    if (node.type === "ThrowStatement") return true;
    if (node.type === "CallExpression" && /expect|assert|fail|reject/iu.test(dottedName(child(node, "callee")) ?? ""))
      return true;
  }
  return false;
}
