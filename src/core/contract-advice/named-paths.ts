/** A path of the scope with why it is there: `named` stands in the text as it is, the others are guesses. */
export interface NamedPath {
  readonly path: string;
  readonly why: "named" | "by-name" | "new" | "test-of";
  /** What stands in the text, or the file that a test belongs to. */
  readonly from: string;
}

const word = /(?:\.{1,2}\/)?(?:[\w@.+-]+\/)*[\w@.+-]*\.[A-Za-z]\w{0,9}\b|(?:[\w@.+-]+\/)+/gu;

/**
 * The files that a task's text names, in the order of the text: a path of base as it stands; a bare name that exactly one
 * file of base has; a path that is not there but whose directory is. Addresses and what matches nothing are left out.
 */
export function findNamedPaths(text: string, paths: readonly string[]): readonly NamedPath[] {
  const known = new Set(paths);
  const found = new Map<string, NamedPath>();
  const prose = text.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/giu, " ").replace(/\b\S+@\S+\.\w+/gu, " ");
  for (const [raw] of prose.matchAll(word)) {
    const one = resolveWord(raw.replace(/^\.\//u, ""), known);
    if (one !== null && !found.has(one.path)) found.set(one.path, one);
  }
  return [...found.values()];
}

function resolveWord(raw: string, known: ReadonlySet<string>): NamedPath | null {
  if (raw.startsWith("../")) return null;
  if (known.has(raw)) return { path: raw, why: "named", from: raw };
  const inside = (directory: string): boolean => [...known].some((path) => path.startsWith(directory));
  if (raw.endsWith("/")) return inside(raw) ? { path: `${raw}**`, why: "named", from: raw } : null;
  if (raw.includes("/")) {
    const directory = raw.slice(0, raw.lastIndexOf("/") + 1);
    return inside(directory) ? { path: raw, why: "new", from: raw } : null;
  }
  const twins = [...known].filter((path) => path.endsWith(`/${raw}`));
  const [only] = twins;
  return twins.length === 1 && only !== undefined ? { path: only, why: "by-name", from: raw } : null;
}

/** Base's test files of the named sources that are not named themselves: `a.test.ts`, `a.spec.js`, `test_a.py` of `a`. */
export function findTestsOf(named: readonly NamedPath[], paths: readonly string[]): readonly NamedPath[] {
  const scope = new Set(named.map((one) => one.path));
  return named.flatMap(({ path }) => {
    const stem = /(?:^|\/)([^/]+?)\.\w+$/u.exec(path)?.[1];
    if (stem === undefined || isTestFile(path)) return [];
    return paths
      .filter((other) => !scope.has(other) && isTestFile(other) && testStem(other) === stem)
      .map((other): NamedPath => ({ path: other, why: "test-of", from: path }));
  });
}

function isTestFile(path: string): boolean {
  return /[._](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.py$/u.test(path);
}

function testStem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/[._](?:test|spec)\.\w+$/u, "").replace(/^test_|\.py$/gu, "");
}
