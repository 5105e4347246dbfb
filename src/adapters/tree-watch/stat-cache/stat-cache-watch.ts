import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { encodePath, type BytePath } from "../../../core/change/path-bytes.ts";
import type { TreeWatch } from "../../../ports/index.ts";
import { hashEntry, modeOf, signatureOf } from "./hash-entry.ts";
import { readStatTable, writeStatTable, type KnownFile } from "./stat-table.ts";
import { toSystem, walkFiles, type TrackedPaths, type WalkedFile } from "./walk-files.ts";

export interface StatCacheOptions {
  /** Real path of the work tree. */
  readonly root: string;
  /** Where the table lies, outside the work tree. */
  readonly cacheFile: string;
  /** Readable paths that base tracks, each followed by a NUL byte. */
  readonly trackedFile: string;
  /** Milliseconds since the epoch, by the clock that stamps files. */
  readonly now: () => number;
}

/** A file touched so shortly before it was hashed may change once more without a new stamp, in milliseconds. */
const racyMs = 2000;
/** Looks at a tree that somebody writes to, before it is given up. */
const attempts = 3;

interface Memory {
  table: Map<BytePath, KnownFile> | null;
  tracked: TrackedPaths | null;
}

/** Fingerprints a work tree by its files' stats, hashing only what changed since the last look. */
export function createStatCacheWatch(options: StatCacheOptions): TreeWatch {
  const memory: Memory = { table: null, tracked: null };
  return {
    async fingerprint() {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const fingerprint = await tryFingerprint(options, memory);
        if (fingerprint !== "moved") return fingerprint;
      }
      return null;
    },
  };
}

/** `moved` when something changed under the walk; null when something cannot be read. */
async function tryFingerprint(options: StatCacheOptions, memory: Memory): Promise<string | null> {
  try {
    const root = encodePath(options.root);
    const tracked = (): TrackedPaths => (memory.tracked ??= readTracked(options.trackedFile));
    const files = [...(await walkFiles({ root, tracked }))].sort((a, b) => (a.path < b.path ? -1 : 1));
    return fingerprintOf(files, { options, memory, root });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return ["ENOENT", "ENOTDIR", "ELOOP", "ESTALE", "ENXIO"].includes(code) ? "moved" : null;
  }
}

function fingerprintOf(
  files: readonly WalkedFile[],
  { options, memory, root }: { options: StatCacheOptions; memory: Memory; root: BytePath },
): string {
  const known = (memory.table ??= readStatTable(options.cacheFile));
  const safe = new Map<BytePath, KnownFile>();
  const whole = createHash("sha256");
  let fresh = 0;
  for (const { path, stats } of files) {
    const signature = signatureOf(stats);
    const before = known.get(path);
    const hashedAt = options.now();
    const digest = before?.signature === signature ? before.digest : hashEntry(toSystem(root, path), stats);
    if (before?.signature === signature) safe.set(path, before);
    else if (isSettled(stats, hashedAt)) {
      safe.set(path, { signature, digest });
      fresh += 1;
    }
    whole.update(`${modeOf(stats)} ${digest} ${path}\0`, "latin1");
  }
  memory.table = safe;
  if (fresh > 0 || safe.size !== known.size) writeStatTable(options.cacheFile, safe);
  return `sha256:${whole.digest("hex")}`;
}

/** Whether a later write is bound to leave another stamp. A stamp from the future never is. */
function isSettled(stats: WalkedFile["stats"], hashedAt: number): boolean {
  const touched = stats.mtimeMs > stats.ctimeMs ? stats.mtimeMs : stats.ctimeMs;
  return Number(touched) + racyMs <= hashedAt;
}

function readTracked(file: string): TrackedPaths {
  const files = new Set(readFileSync(file, "utf8").split("\0"));
  files.delete("");
  const directories = new Set<string>();
  for (const path of files)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const directory = path.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  return { files, directories };
}
