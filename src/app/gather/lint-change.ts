import { collectTexts, isLintable, isTestPath, lintFile, newHits } from "../../core/lint/index.ts";
import type { ChangeEntry, ChangeFacts, LintFact } from "../../core/facts/index.ts";
import type { Mirror } from "../../ports/index.ts";

/** Longer files are generated or data; people do not read them, and a lint of them says nothing. */
const longestFile = 512 * 1024;
const mostFiles = 500;

/** Lints the changed code files, head against base: only what is new on head is said. */
export async function lintChange(mirror: Mirror, change: ChangeFacts): Promise<readonly LintFact[]> {
  const entries = change.entries.filter(isLooked).slice(0, mostFiles);
  const changedSources = change.entries.map((entry) => entry.path).filter((path) => !isTestPath(path));
  const texts = await testTexts(mirror, change, entries);
  const facts: LintFact[] = [];
  for (const { path } of entries) {
    const context = { path, isTest: isTestPath(path), changedSources, testTexts: texts };
    const [base, head] = [await readText(mirror, change.base_tree, path), await readText(mirror, change.tree, path)];
    if (head === null) continue;
    const hits = newHits(base === null ? [] : lintFile(base, context), lintFile(head, context));
    facts.push(...hits.map((hit) => ({ rule: hit.rule, path, line: hit.line, text: hit.text })));
  }
  return facts;
}

function isLooked(entry: ChangeEntry): boolean {
  return entry.status !== "deleted" && entry.valid_utf8 && isLintable(entry.path) && entry.new_mode.startsWith("100");
}

async function testTexts(
  mirror: Mirror,
  change: ChangeFacts,
  entries: readonly ChangeEntry[],
): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const { path } of entries.filter((entry) => isTestPath(entry.path))) {
    const text = await readText(mirror, change.tree, path);
    if (text !== null) for (const one of collectTexts(path, text)) texts.add(one);
  }
  return texts;
}

async function readText(mirror: Mirror, tree: string, path: string): Promise<string | null> {
  const bytes = await mirror.readFile(tree, path);
  if (bytes === null || bytes.length > longestFile) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
