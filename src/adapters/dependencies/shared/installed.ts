import { readFile, readlink, realpath } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import { compareText, type Digest } from "../../../core/digest.ts";
import type { DependencyFacts } from "../../../core/facts/index.ts";
import type { InstalledDependencies, SandboxMount } from "../../../ports/index.ts";
import { isObject } from "./json-file.ts";
import { writableCaches, type StoreEntry } from "./store-entry.ts";

/** One package root with the store that serves it. */
export interface InstalledRoot {
  /** Relative to the repository root; `""` is the root itself. */
  readonly root: string;
  readonly manager: DependencyFacts["manager"];
  readonly lockfile: string;
  readonly key: Digest;
  readonly entry: StoreEntry;
  /** The store on the host. */
  readonly directory: string;
  readonly release: () => Promise<void>;
}

/** Opens one root after the other; when one cannot be opened, those before it are let go. */
export async function openRoots<Plan>(
  plans: readonly Plan[],
  open: (plan: Plan) => Promise<InstalledRoot>,
): Promise<readonly InstalledRoot[]> {
  const roots: InstalledRoot[] = [];
  try {
    for (const plan of plans) roots.push(await open(plan));
    return roots;
  } catch (error) {
    await Promise.all(roots.map((root) => root.release()));
    throw error;
  }
}

const repositoryInside = "/repo";
const cacheBytes = 128 * 2 ** 20;

/** Where each `node_modules` of the repository lies on the host, by repository directory. */
type Modules = ReadonlyMap<string, { readonly host: string; readonly store: string }>;

/** Mounts and look-ups over frozen stores; each store stays held until `release`. */
export function openInstalled(
  roots: readonly InstalledRoot[],
  empty: readonly { readonly root: string }[],
): InstalledDependencies {
  const modules: Modules = new Map(
    roots.flatMap(({ root, entry, directory }) =>
      entry.directories.map((member) => {
        const store = join(directory, "tree");
        return [inRoot(root, member), { host: join(store, member, "node_modules"), store }] as const;
      }),
    ),
  );
  const directories = [...modules.keys()].sort(compareText);
  return {
    facts: [...roots.map(factsOf), ...empty.map(({ root }) => emptyFacts(root))].sort((a, b) =>
      a.root < b.root ? -1 : 1,
    ),
    mounts: directories.flatMap((directory) => mountsOf(directory, modules.get(directory)?.host ?? "")),
    mountPoints: directories.map((directory) => inRoot(directory, "node_modules")),
    path: [],
    packageVersion: (cwd, name) => findPackageVersion(modules, cwd, name),
    resolveBin: (cwd, bin) => findBin(modules, cwd, bin),
    release: async () => void (await Promise.all(roots.map((root) => root.release()))),
  };
}

function factsOf({ root, manager, lockfile, key, entry }: InstalledRoot): DependencyFacts {
  return { root, manager, lockfile, key, packages: entry.packages, scripts: entry.scripts };
}

function emptyFacts(root: string): DependencyFacts {
  return { root, manager: "none", lockfile: null, key: null, packages: 0, scripts: "none" };
}

function mountsOf(directory: string, host: string): readonly SandboxMount[] {
  const target = posix.join(repositoryInside, directory, "node_modules");
  return [
    { kind: "read-only", source: host, target },
    ...writableCaches.map((cache) => ({ kind: "tmpfs", target: `${target}/${cache}`, bytes: cacheBytes }) as const),
  ];
}

/** A path of a root, relative to the repository. */
export function inRoot(root: string, path: string): string {
  return root === "" ? path : path === "" ? root : `${root}/${path}`;
}

/** The directories from `cwd` upwards that have a `node_modules`, nearest first, as node resolves. */
function* upwards(
  modules: Modules,
  cwd: string,
): Generator<{ readonly directory: string; readonly host: string; readonly store: string }> {
  const parts = posix
    .normalize(cwd === "" ? "." : cwd)
    .split("/")
    .filter((part) => part !== "." && part !== "");
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const directory = parts.slice(0, depth).join("/");
    const found = modules.get(directory);
    if (found !== undefined) yield { directory, ...found };
  }
}

async function findPackageVersion(modules: Modules, cwd: string, name: string): Promise<string | null> {
  if (!/^(?:@[\w.~-]+\/)?[\w~][\w.~-]*$/u.test(name)) return null;
  for (const { host, store } of upwards(modules, cwd)) {
    const manifest = await readInside(store, join(host, name, "package.json"));
    if (manifest !== null) return typeof manifest["version"] === "string" ? manifest["version"] : null;
  }
  return null;
}

/** The file behind `.bin/<bin>`, if the package that it lies in names it as that bin. */
async function findBin(modules: Modules, cwd: string, bin: string): Promise<string | null> {
  if (!/^[\w~@][\w.~-]*$/u.test(bin)) return null;
  for (const { directory, host, store } of upwards(modules, cwd)) {
    const link = await readBinLink(join(host, ".bin", bin));
    if (link === null) continue;
    const file = posix.join(".bin", link);
    const place = /^(?:\.pnpm\/[^/]+\/node_modules\/)?(?:@[^/]+\/)?[^/]+/u.exec(file)?.[0];
    if (place === undefined || place === "..") return null;
    const manifest = await readInside(store, join(host, place, "package.json"));
    if (manifest === null || !namesBin(manifest, bin, file.slice(place.length + 1))) return null;
    return posix.join(repositoryInside, directory, "node_modules", file);
  }
  return null;
}

/** Where `.bin/<bin>` leads, relative to `.bin`: npm makes a link, pnpm a script that runs the file beside it. */
async function readBinLink(path: string): Promise<string | null> {
  const link = await readlink(path).catch(() => null);
  if (link !== null) return link;
  const script = await readFile(path, "utf8").catch(() => "");
  return /^\s*exec .*"\$basedir\/((?:\.\.\/)+[^"$`\\]+)" +"\$@"$/mu.exec(script)?.[1] ?? null;
}

function namesBin(manifest: Readonly<Record<string, unknown>>, bin: string, file: string): boolean {
  const declared = manifest["bin"];
  const target = typeof declared === "string" ? declared : isObject(declared) ? declared[bin] : undefined;
  return typeof target === "string" && posix.normalize(target).replace(/^\/+/u, "") === file;
}

/** A manifest of the store, never one that a link leads to outside it. */
async function readInside(store: string, path: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const real = await realpath(path);
    if (!real.startsWith(`${await realpath(store)}${sep}`)) return null;
    const value: unknown = JSON.parse(await readFile(real, "utf8"));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
