import type { ParserPlugin } from "@babel/parser";

/** A node of a Babel syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly value: unknown;
}

/** The node under a key, or null. */
export function child(node: SyntaxNode, key: string): SyntaxNode | null {
  return asNode(Reflect.get(node, key));
}

/** The nodes in the list under a key. */
export function children(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const value: unknown = Reflect.get(node, key);
  return Array.isArray(value) ? value.map(asNode).filter((one) => one !== null) : [];
}

/** A node of the parser's, or null for anything else. */
export function asNode(value: unknown): SyntaxNode | null {
  if (typeof value !== "object" || value === null) return null;
  const type: unknown = Reflect.get(value, "type");
  if (typeof type !== "string") return null;
  const [start, end, loc]: unknown[] = ["start", "end", "loc"].map((key) => Reflect.get(value, key) as unknown);
  const begin: unknown = typeof loc === "object" && loc !== null ? Reflect.get(loc, "start") : null;
  const line: unknown = typeof begin === "object" && begin !== null ? Reflect.get(begin, "line") : 0;
  // Rules read further keys of the same object.
  return Object.assign(value, { type, start: Number(start), end: Number(end), line: Number(line) }) as SyntaxNode;
}

/** Every node of a tree with its ancestors, nearest last; iterative, since a generated file nests deeper than a stack. */
export function* walk(root: SyntaxNode): Generator<{ readonly node: SyntaxNode; readonly within: Ancestors }> {
  const stack: { readonly node: SyntaxNode; readonly within: Ancestors }[] = [{ node: root, within: null }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    yield at;
    const within = { node: at.node, outer: at.within };
    for (const below of nodesBelow(at.node).toReversed()) stack.push({ node: below, within });
  }
}

/** A node's ancestors as a chain from the nearest outwards. */
export type Ancestors = { readonly node: SyntaxNode; readonly outer: Ancestors } | null;

const notChildren = new Set([
  "loc",
  "start",
  "end",
  "range",
  "extra",
  "leadingComments",
  "trailingComments",
  "innerComments",
]);

function nodesBelow(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (notChildren.has(key)) return [];
    return (Array.isArray(value) ? value : [value]).map(asNode).filter((one) => one !== null);
  });
}

/** `a.b.c` of nested member expressions, or null when a part of it is computed. */
export function dottedName(node: SyntaxNode | null): string | null {
  if (node === null) return null;
  if (node.type === "Identifier") return String(Reflect.get(node, "name"));
  if (node.type === "ThisExpression") return "this";
  if (node.type === "MetaProperty") return "import.meta";
  if (node.type === "CallExpression") return dottedName(child(node, "callee"));
  if (!/^(?:Optional)?MemberExpression$/u.test(node.type)) return null;
  const object = dottedName(child(node, "object"));
  const property = child(node, "property");
  const computed = Reflect.get(node, "computed") === true;
  const name = computed ? stringValue(property) : dottedName(property);
  return object === null || name === null ? null : `${object}.${name}`;
}

/** The value of a string literal, or of a template without holes. */
export function stringValue(node: SyntaxNode | null): string | null {
  if (node === null) return null;
  if (node.type === "StringLiteral") return String(node.value);
  if (node.type !== "TemplateLiteral") return null;
  const parts = children(node, "quasis");
  const value: unknown = parts.length === 1 ? Reflect.get(parts[0] ?? {}, "value") : null;
  return typeof value === "object" && value !== null ? String(Reflect.get(value, "cooked")) : null;
}

/** What the parser must know to read a file of this name: TypeScript, JSX wherever a name allows it, decorators. */
export function parserPlugins(path: string): ParserPlugin[] {
  return [
    ...(/\.[cm]?tsx?$/u.test(path) ? (["typescript"] as const) : []),
    ...(/\.[cm]?ts$/u.test(path) ? [] : (["jsx"] as const)),
    "decorators",
  ];
}
