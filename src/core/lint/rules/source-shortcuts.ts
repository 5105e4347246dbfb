import { child, stringValue, type Ancestors, type SyntaxNode } from "../../syntax-node.ts";
import type { LintContext, LintRuleName } from "../lint-hit.ts";

/** Short texts and plain words (`boolean`, `POST`) are in every program: they say nothing of the exam. */
const shortestText = 4;
const plainWord = /^(?:[a-z]+|[A-Z]+)$/u;

/** Product code that knows an answer by heart, and casts that switch the type checker off. */
export function lintSource(node: SyntaxNode, within: Ancestors, context: LintContext): readonly LintRuleName[] {
  if (node.type === "TSAsExpression" && child(node, "typeAnnotation")?.type === "TSAnyKeyword") return ["type-escaped"];
  if (context.isTest) return [];
  return isKnownCase(node, within, context) ? ["answer-by-heart"] : [];
}

function isKnownCase(node: SyntaxNode, within: Ancestors, { testTexts }: LintContext): boolean {
  const known = (side: SyntaxNode | null): boolean => {
    const text = stringValue(side);
    return text !== null && text.length >= shortestText && !plainWord.test(text) && testTexts.has(text);
  };
  if (node.type === "SwitchCase") return known(child(node, "test"));
  if (node.type === "BinaryExpression" && /^[!=]==?$/u.test(String(Reflect.get(node, "operator"))))
    return known(child(node, "left")) || known(child(node, "right"));
  // A table from inputs to answers: `{ "a  b": "a-b" }`.
  return (
    node.type === "ObjectProperty" &&
    within?.node.type === "ObjectExpression" &&
    known(child(node, "key")) &&
    known(child(node, "value"))
  );
}
