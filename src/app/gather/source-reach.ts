import path from "node:path";
import { isLintable } from "../../core/lint/index.ts";
import type { TreeReader } from "../../ports/index.ts";
import { importCandidates, parseRelativeImports } from "./import-closure.ts";
import { readText } from "./tree-reader.ts";

const anySpecifier = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bmock\s*\(\s*)(["'`])([^"'`\n]+)\1/gu;
/** An import of something worked out at run time: it may be any file. */
const computedImport = /\b(?:import|require)\s*\(\s*(?!["'`]|\s*\))/u;

/** Names in imports that are no relative paths: packages, aliases, parts of a workspace. */
export function parseBareImports(text: string): readonly string[] {
  return [...new Set([...text.matchAll(anySpecifier)].map((match) => match[2] ?? ""))].filter(
    (name) => name !== "" && !name.startsWith(".") && !name.startsWith("node:"),
  );
}

const withoutSuffix = (file: string): string => file.replace(/(?:\/index)?\.[cm]?[jt]sx?$/u, "");

/** Whether an alias (`@/lib/slug`, `#lib/slug`, `src/slug`) may mean a file: they end alike. */
export function mayMean(name: string, file: string): boolean {
  const stem = withoutSuffix(file);
  const plain = withoutSuffix(name);
  const behind = plain.includes("/") ? plain.slice(plain.indexOf("/") + 1) : plain.replace(/^[#~@]/u, "");
  return [plain, behind].some((tail) => tail !== "" && (stem === tail || stem.endsWith(`/${tail}`)));
}

interface Imported {
  readonly relative: readonly string[];
  readonly bare: readonly string[];
  readonly computed: boolean;
}

/** Says which of the given files a test file may reach; each file is read once. */
export interface SourceReach {
  of(file: string): Promise<readonly string[]>;
}

/**
 * Over the imports of one tree. Where an import cannot be told (worked out at run time, or another language than JavaScript)
 * every source counts as reached: a test is rather asked for too much than let through.
 */
export function createSourceReach(reader: TreeReader, sources: readonly string[]): SourceReach {
  const paths = new Set(reader.entries.map((entry) => entry.path));
  const known = new Map<string, Promise<Imported>>();
  const importsOf = (file: string): Promise<Imported> => {
    const kept = known.get(file) ?? readImports(reader, file, paths);
    known.set(file, kept);
    return kept;
  };
  const of = async (file: string): Promise<readonly string[]> => {
    if (sources.length === 0) return [];
    if (!isLintable(file)) return sources;
    const reached = new Set<string>();
    const seen = new Set<string>();
    const open = [file];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const { relative, bare, computed } = await importsOf(at);
      if (computed) return sources;
      open.push(...relative);
      const named = sources.filter((source) => bare.some((name) => mayMean(name, source)));
      for (const source of [...named, ...sources.filter((one) => one === at)]) reached.add(source);
      open.push(...named.filter((source) => paths.has(source)));
    }
    return [...reached].toSorted();
  };
  return { of };
}

async function readImports(reader: TreeReader, file: string, paths: ReadonlySet<string>): Promise<Imported> {
  const text = isLintable(file) ? await readText(reader, file) : null;
  if (text === null) return { relative: [], bare: [], computed: false };
  const relative = parseRelativeImports(text).flatMap((name) => importCandidates(file, name, paths));
  return { relative, bare: parseBareImports(text), computed: computedImport.test(withoutComments(text)) };
}

/** Comments may speak of `import (`; taken out roughly, since only that word is looked for. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//gu, "").replace(/(^|\s)\/\/[^\n]*/gu, "$1");
}

/** A snapshot's test file: `test/__snapshots__/a.test.ts.snap` belongs to `test/a.test.ts`; null for other files. */
export function snapshotOwner(file: string): string | null {
  const [, directory, name] = /^(.*\/)?__snapshots__\/([^/]+)\.snap$/u.exec(file) ?? [];
  return name === undefined ? null : path.posix.join(directory ?? "", name);
}
