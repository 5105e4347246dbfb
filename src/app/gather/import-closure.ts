import path from "node:path";
import type { TreeReader } from "../../ports/index.ts";
import { readText } from "./tree-reader.ts";

const specifier =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bresolve\s*\(\s*|\bnew\s+URL\s*\(\s*)(["'`])(\.{1,2}\/[^"'`\n]*|\.{1,2})\1/gu;
const suffixes = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];

/** The relative specifiers a source text names in imports, requires and URLs; more than are executed, never fewer of these forms. */
export function parseRelativeImports(text: string): readonly string[] {
  return [...new Set([...text.matchAll(specifier)].map((match) => match[2] ?? ""))].filter((name) => name !== "");
}

/** Every file of the tree that `roots` reach through relative imports, the roots included, sorted. */
export async function importClosure(reader: TreeReader, roots: readonly string[]): Promise<readonly string[]> {
  const paths = new Set(reader.entries.map((entry) => entry.path));
  const seen = new Set<string>();
  const open = roots.filter((root) => paths.has(root));
  while (open.length > 0) {
    const file = open.pop() as string;
    if (seen.has(file)) continue;
    seen.add(file);
    const text = file.endsWith(".json") ? null : await readText(reader, file);
    if (text !== null) open.push(...parseRelativeImports(text).flatMap((name) => importCandidates(file, name, paths)));
  }
  return [...seen].sort();
}

/** All files of the tree that a relative specifier may mean; a `.js` specifier may stand for a `.ts` source. */
export function importCandidates(from: string, name: string, paths: ReadonlySet<string>): readonly string[] {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(from), name.replace(/[?#].*$/u, "")));
  const bare = target.replace(/\.(?:[cm]?js|jsx)$/u, "");
  const guesses = [target, bare].flatMap((stem) =>
    suffixes.flatMap((suffix) => [`${stem}${suffix}`, `${stem}/index${suffix}`]),
  );
  return [...new Set(guesses)].filter((guess) => paths.has(guess));
}
