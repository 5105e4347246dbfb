import { lstat, mkdir, readFile, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sha256, type Digest } from "../../../core/digest.ts";

/** What a frozen store says of itself, in `manifest.json` beside `tree/`. */
const entrySchema = z.strictObject({
  version: z.literal(1),
  key: z.templateLiteral(["sha256:", z.string()]),
  packages: z.int().nonnegative(),
  scripts: z.enum(["none", "run-without-network", "skipped"]),
  /** Directories, relative to the package root, that have a `node_modules`. */
  directories: z.array(z.string()),
  /** The manager's own record of what it installed: a store that lost it is not used. */
  record: z.templateLiteral(["sha256:", z.string()]).nullable(),
});

export type StoreEntry = z.infer<typeof entrySchema>;

/** Directories that tools write to inside `node_modules`: they exist in the store, so that a tmpfs can lie over them. */
export const writableCaches = [".vite", ".vite-temp", ".vitest-cache", ".cache"] as const;

const npmRecord = "node_modules/.package-lock.json";
const records = [
  npmRecord,
  "node_modules/.pnpm/lock.yaml",
  "node_modules/.yarn-integrity",
  "node_modules/.yarn-state.yml",
  "node_modules/.trueup-bun.lock",
];

/** Reads a store that was frozen whole; null for anything else, which must then be built again. */
export async function readEntry(directory: string, key: Digest): Promise<StoreEntry | null> {
  try {
    const entry = entrySchema.parse(JSON.parse(await readFile(join(directory, "manifest.json"), "utf8")));
    if (entry.key !== key || (await recordOf(join(directory, "tree"))) !== entry.record) return null;
    const now = new Date();
    await utimes(join(directory, "manifest.json"), now, now);
    return entry;
  } catch {
    return null;
  }
}

async function recordOf(tree: string): Promise<Digest | null> {
  for (const record of records) {
    const bytes = await readFile(join(tree, record)).catch(() => null);
    if (bytes !== null) return sha256(bytes);
  }
  return null;
}

/** Turns a finished installation (`<build>/project`) into a store and puts it in place with one rename. */
export async function freezeEntry(options: {
  readonly build: string;
  readonly directory: string;
  readonly members: readonly string[];
  readonly facts: Pick<StoreEntry, "key" | "scripts"> & { readonly packages?: number };
}): Promise<StoreEntry> {
  const tree = join(options.build, "entry", "tree");
  await mkdir(join(options.build, "entry"), { mode: 0o700 });
  await rename(join(options.build, "project"), tree);
  await mkdir(join(tree, "node_modules"), { recursive: true });
  const directories: string[] = [];
  for (const member of ["", ...options.members]) {
    const modules = join(tree, member, "node_modules");
    const kind = await lstat(modules).catch(() => null);
    if (kind === null && member !== "") continue;
    if (kind?.isDirectory() !== true)
      throw new Error(`${member}/node_modules is not a directory after the installation`);
    directories.push(member);
    for (const cache of writableCaches) {
      await rm(join(modules, cache), { recursive: true, force: true });
      await mkdir(join(modules, cache));
    }
  }
  const entry: StoreEntry = {
    version: 1,
    ...options.facts,
    packages: options.facts.packages ?? (await countPackages(tree)),
    directories,
    record: await recordOf(tree),
  };
  await writeFile(join(options.build, "entry", "manifest.json"), JSON.stringify(entry), { mode: 0o600 });
  await rm(options.directory, { recursive: true, force: true });
  await rename(join(options.build, "entry"), options.directory);
  return entry;
}

/** How many packages npm says that it put there; links to members do not count. */
async function countPackages(tree: string): Promise<number> {
  const text = await readFile(join(tree, npmRecord), "utf8").catch(() => null);
  if (text === null) return (await readdir(join(tree, "node_modules"))).filter((name) => !name.startsWith(".")).length;
  const { packages } = JSON.parse(text) as { packages?: Record<string, { link?: boolean }> };
  return Object.entries(packages ?? {}).filter(
    ([location, each]) => location.includes("node_modules/") && each.link !== true,
  ).length;
}
