import { randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheAreas, type CacheArea, type CacheEntry } from "../../../core/cache/index.ts";
import type { CacheKeeper } from "../../../ports/index.ts";
import { isHeld, marksDirectory, ownWords, putMark, isMarked, usedAt } from "./use-marks.ts";

/** What an entry's name looks like in each area; anything else there is a lock, a draft, or none of ours. */
const names: Readonly<Record<CacheArea, RegExp>> = {
  mirrors: /^[0-9a-f]{64}\.git$/u,
  dependencies: /^[0-9a-f]{64}$/u,
  bases: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u,
  toolchains: /^[0-9a-f]{64}$/u,
  baselines: /^[0-9a-f]{64}\.json$/u,
  fits: /^[0-9a-f]{64}\.json$/u,
  pushes: /^[0-9a-f]{64}\.json$/u,
};

/** Areas whose entries never change once they are there: they are measured once. */
const frozen: readonly CacheArea[] = ["dependencies", "bases", "toolchains"];

const goneName = /^\.gone-/u;

/** Looks after the entries of a cache directory. What a killed removal left half removed goes with the next `list`. */
export function createCacheKeeper(cache: string): CacheKeeper {
  return {
    async list() {
      const all = await Promise.all(cacheAreas.map((area) => listArea(cache, area)));
      return all.flat();
    },
    remove: (entry) => removeEntry(cache, entry),
  };
}

async function listArea(cache: string, area: CacheArea): Promise<readonly CacheEntry[]> {
  const home = path.join(cache, area);
  const found: CacheEntry[] = [];
  for (const name of await readdir(home).catch(() => [])) {
    if (goneName.test(name)) await rm(path.join(home, name), { recursive: true, force: true });
    if (!names[area].test(name)) continue;
    const entry = await describe(cache, area, name);
    if (entry !== null) found.push(entry);
  }
  return found;
}

async function describe(cache: string, area: CacheArea, name: string): Promise<CacheEntry | null> {
  const marks = marksDirectory(cache, area);
  const place = path.join(cache, area, name);
  const info = await lstat(place).catch(() => null);
  if (info === null) return null;
  return {
    area,
    name,
    bytes: frozen.includes(area) ? await measureOnce(marks, name, place) : await measure(place),
    used_at_ms: (await usedAt(marks, name)) ?? info.mtimeMs,
    held: await isHeld(marks, name),
  };
}

async function measureOnce(marks: string, name: string, place: string): Promise<number> {
  const file = path.join(marks, `${name}.bytes`);
  const kept = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10);
  if (Number.isSafeInteger(kept)) return kept;
  const bytes = await measure(place);
  await mkdir(marks, { recursive: true, mode: 0o700 });
  await writeFile(file, String(bytes), { mode: 0o600 });
  return bytes;
}

/** What a file or a directory with all below it takes on disk. */
async function measure(place: string): Promise<number> {
  const info = await lstat(place).catch(() => null);
  if (info === null) return 0;
  const own = info.blocks * 512;
  if (!info.isDirectory()) return own;
  let sum = own;
  for (const name of await readdir(place).catch(() => [])) sum += await measure(path.join(place, name));
  return sum;
}

async function removeEntry(cache: string, { area, name }: CacheEntry): Promise<"removed" | "held"> {
  const marks = marksDirectory(cache, area);
  await mkdir(marks, { recursive: true, mode: 0o700 });
  const removing = path.join(marks, `${name}.removing`);
  if (await isMarked(removing)) return "held";
  // One of a process that is gone says nothing more.
  await rm(removing, { force: true });
  if (!(await putMark(removing, await ownWords()))) return "held";
  const place = path.join(cache, area, name);
  const gone = path.join(cache, area, `.gone-${randomUUID()}`);
  try {
    if (await isHeld(marks, name)) return "held";
    await rename(place, gone).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await Promise.all(["bytes", "used"].map((mark) => rm(path.join(marks, `${name}.${mark}`), { force: true })));
  } finally {
    await rm(removing, { force: true });
  }
  await rm(gone, { recursive: true, force: true });
  return "removed";
}
