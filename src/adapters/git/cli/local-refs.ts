import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RemoteRef } from "../../../ports/index.ts";
import type { LocalRepository } from "./find-work-tree.ts";

/** Where HEAD stands: the branch it names (full ref) and the commit, null where there is none. */
export interface LocalHead {
  readonly ref: string | null;
  readonly id: string | null;
}

const fullId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const refName = /^refs\/[^\s~^:?*[\\]+$/u;
const deepest = 5;

/** Every ref of a repository on disk, loose ones before packed ones, sorted by name. Broken refs are left out. */
export async function readLocalRefs(repository: LocalRepository): Promise<readonly RemoteRef[]> {
  const refs = new Map<string, string>();
  const packed = await readFile(join(repository.commonDirectory, "packed-refs"), "utf8").catch(() => "");
  for (const line of packed.split("\n")) {
    const [id = "", name = ""] = line.split(" ");
    if (fullId.test(id) && isRefName(name)) refs.set(name, id);
  }
  for (const [name, id] of await readLoose(repository, "refs")) refs.set(name, id);
  return [...refs].map(([name, id]) => ({ name, id })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** HEAD of a repository, as its files say. */
export async function readLocalHead(repository: LocalRepository): Promise<LocalHead> {
  const text = (await readFile(join(repository.gitDirectory, "HEAD"), "utf8").catch(() => "")).trim();
  if (fullId.test(text)) return { ref: null, id: text };
  const ref = text.startsWith("ref: ") ? text.slice(5).trim() : "";
  if (!isRefName(ref)) return { ref: null, id: null };
  const refs = await readLocalRefs(repository);
  return { ref, id: refs.find((known) => known.name === ref)?.id ?? null };
}

async function readLoose(repository: LocalRepository, under: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(join(repository.commonDirectory, under), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const name = `${under}/${entry.name}`;
      if (entry.isDirectory()) return readLoose(repository, name);
      const id = entry.isFile() && isRefName(name) ? await resolveLoose(repository, name, deepest) : null;
      return id === null ? [] : [[name, id] as const];
    }),
  );
  return found.flat();
}

/** Follows symbolic refs (`refs/remotes/origin/HEAD`) a few steps inside `refs/`. */
async function resolveLoose(repository: LocalRepository, name: string, left: number): Promise<string | null> {
  const path = join(repository.commonDirectory, name);
  const info = await lstat(path).catch(() => null);
  if (info?.isFile() !== true) return null;
  const text = (await readFile(path, "utf8").catch(() => "")).trim();
  if (fullId.test(text)) return text;
  const next = text.startsWith("ref: ") ? text.slice(5).trim() : "";
  return left > 0 && isRefName(next) ? resolveLoose(repository, next, left - 1) : null;
}

function isRefName(name: string): boolean {
  return (
    refName.test(name) && !name.includes("..") && !name.includes("//") && !name.endsWith(".lock") && !name.endsWith("/")
  );
}
