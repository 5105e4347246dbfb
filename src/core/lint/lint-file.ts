import { parse } from "@babel/parser";
import type { LintContext, LintHit, LintRuleName } from "./lint-hit.ts";
import { lintAssertion } from "./rules/assertions.ts";
import { lintRunnerCall } from "./rules/runner-calls.ts";
import { lintSource } from "./rules/source-shortcuts.ts";
import { lintTestCall } from "./rules/test-calls.ts";
import { asNode, parserPlugins, stringValue, walk, type Ancestors, type SyntaxNode } from "../syntax-node.ts";

const rules: readonly ((node: SyntaxNode, within: Ancestors, context: LintContext) => readonly LintRuleName[])[] = [
  lintTestCall,
  lintAssertion,
  lintRunnerCall,
  lintSource,
];

const silencers =
  /@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint|biome|tslint)-(?:disable|ignore)|(?:v8|c8|istanbul|node:coverage)\s+(?:ignore|disable)/u;
const longestText = 120;

/** A file that can be looked at: JavaScript or TypeScript by its name. */
export function isLintable(path: string): boolean {
  return /\.[cm]?[jt]sx?$/u.test(path) && !/\.d\.[cm]?ts$/u.test(path);
}

/** Test files by the customs of the four runners; a test elsewhere is looked at as source. */
export function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/|[.\-_](?:test|spec|cy)\.[cm]?[jt]sx?$/iu.test(path);
}

interface ParsedFile {
  readonly root: SyntaxNode;
  readonly comments: readonly SyntaxNode[];
}

/** Null when the text is not whole code. */
function parseFile(path: string, text: string): ParsedFile | null {
  try {
    const file: unknown = parse(text, {
      plugins: parserPlugins(path),
      sourceType: "unambiguous",
      allowReturnOutsideFunction: true,
      errorRecovery: true,
    });
    const root = asNode(file);
    const comments: unknown = Reflect.get(file as object, "comments");
    return root === null
      ? null
      : { root, comments: (Array.isArray(comments) ? comments : []).flatMap((one) => asNode(one) ?? []) };
  } catch {
    return null;
  }
}

/** Every string literal of a file, for `LintContext.testTexts`. */
export function collectTexts(path: string, text: string): readonly string[] {
  const parsed = parseFile(path, text);
  if (parsed === null) return [];
  return [...walk(parsed.root)].flatMap(({ node }) => stringValue(node) ?? []);
}

/** Looks at one version of one file. Pure; hits in the order of the file. Null when the text is not whole code. */
export function lintFile(text: string, context: LintContext): readonly LintHit[] | null {
  const parsed = parseFile(context.path, text);
  if (parsed === null) return null;
  const hit = (rule: LintRuleName, node: SyntaxNode): LintHit => ({
    rule,
    line: node.line,
    text: oneLine(text.slice(node.start, node.end)),
  });
  const silenced = parsed.comments.filter((comment) => silencers.test(String(comment.value)));
  const found = [...walk(parsed.root)].flatMap(({ node, within }) =>
    rules.flatMap((rule) => rule(node, within, context)).map((name) => hit(name, node)),
  );
  const all = [...found, ...silenced.map((comment) => hit("check-silenced", comment))];
  // `it.skip.each([])("x")` is a call within a call, `expect(a).toBe(b)` too: one place is one hit, the outermost.
  const places = new Map(all.toReversed().map((one) => [`${one.rule}\n${one.line}`, one]));
  return [...places.values()].toSorted((a, b) => a.line - b.line);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, " ");
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}

/** The hits of head that base does not have as often: what stood there before, also elsewhere in the file, is not the change's. */
export function newHits(base: readonly LintHit[], head: readonly LintHit[]): readonly LintHit[] {
  const key = (one: LintHit): string => `${one.rule}\n${one.text}`;
  const left = new Map<string, number>();
  for (const one of base) left.set(key(one), (left.get(key(one)) ?? 0) + 1);
  return head.filter((one) => {
    const count = left.get(key(one)) ?? 0;
    left.set(key(one), count - 1);
    return count <= 0;
  });
}
