import { collectTexts, isLintable, isTestPath, lintFile, newHits } from "../../core/lint/index.ts";
import type { ChangeEntry, ChangeFacts, LintFact } from "../../core/facts/index.ts";
import type { Mirror } from "../../ports/index.ts";

/** Longer files are generated or data, and take long; in bytes. */
const longestFile = 512 * 1024;
const mostFiles = 500;

/** Lints the changed code files, head against base: only what is new on head is said, and what could not be looked at. */
export async function lintChange(mirror: Mirror, change: ChangeFacts): Promise<readonly LintFact[]> {
  const lintable = change.entries.filter(isCode);
  const entries = lintable.slice(0, mostFiles);
  const changedSources = change.entries.map((entry) => entry.path).filter((path) => !isTestPath(path));
  const texts = await testTexts(mirror, change, entries);
  const facts: LintFact[] = lintable
    .slice(mostFiles)
    .map(({ path }) => notLooked(path, `beyond the first ${mostFiles} files`));
  for (const { path } of entries) {
    const context = { path, isTest: isTestPath(path), changedSources, testTexts: texts };
    const [base, head] = [await readText(mirror, change.base_tree, path), await readText(mirror, change.tree, path)];
    const onHead = "text" in head ? lintFile(head.text, context) : null;
    if (onHead === null) {
      facts.push(notLooked(path, "text" in head ? "it is not whole code" : head.reason));
      continue;
    }
    const hits = newHits(("text" in base ? lintFile(base.text, context) : null) ?? [], onHead);
    facts.push(...hits.map((hit) => ({ rule: hit.rule, path, line: hit.line, text: hit.text })));
  }
  return facts;
}

function notLooked(path: string, text: string): LintFact {
  return { rule: "not-looked", path, line: 1, text };
}

/** Code that stands on head in a regular file. A name that is no UTF-8 cannot be read by it, and blocks elsewhere. */
function isCode(entry: ChangeEntry): boolean {
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
    if ("text" in text) for (const one of collectTexts(path, text.text)) texts.add(one);
  }
  return texts;
}

type ReadText = { readonly text: string } | { readonly reason: string };

async function readText(mirror: Mirror, tree: string, path: string): Promise<ReadText> {
  const bytes = await mirror.readFile(tree, path);
  if (bytes === null) return { reason: "it is not there" };
  if (bytes.length > longestFile) return { reason: `${bytes.length} bytes (at most ${longestFile} are looked at)` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { reason: "it is not UTF-8" };
  }
}
