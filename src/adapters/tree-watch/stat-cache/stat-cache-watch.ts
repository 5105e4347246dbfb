import { createHash } from "node:crypto";
import { readFileSync, type BigIntStats } from "node:fs";
import { encodePath, type BytePath } from "../../../core/change/path-bytes.ts";
import type { TreeWatch } from "../../../ports/index.ts";
import { hashEntry, signatureOf } from "./hash-entry.ts";
import { readStatTable, writeStatTable, type KnownFile } from "./stat-table.ts";
import { toSystem, walkFiles, type TrackedPaths } from "./walk-files.ts";

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
    const known = (memory.table ??= readStatTable(options.cacheFile));
    const look: Look = { lines: new Map(), kept: new Map(), fresh: 0 };
    const tracked = (): TrackedPaths => (memory.tracked ??= readTracked(options.trackedFile));
    await walkFiles({ root, tracked }, (path, stats) => {
      const signature = signatureOf(stats);
      const before = known.get(path);
      if (before?.signature === signature) keep(look, path, before);
      else hashAnew(look, { path, stats, signature, system: toSystem(root, path), hashedAt: options.now() });
    });
    memory.table = look.kept;
    if (look.fresh > 0 || look.kept.size !== known.size) writeStatTable(options.cacheFile, look.kept);
    return fingerprintOf(look);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return ["ENOENT", "ENOTDIR", "ELOOP", "ESTALE", "ENXIO"].includes(code) ? "moved" : null;
  }
}

/** What one walk has found so far. */
interface Look {
  /** Mode and digest of each path. */
  readonly lines: Map<BytePath, string>;
  /** What the next look need not hash. */
  readonly kept: Map<BytePath, KnownFile>;
  /** How many of those the table does not hold yet. */
  fresh: number;
}

function keep(look: Look, path: BytePath, file: KnownFile): void {
  look.kept.set(path, file);
  look.lines.set(path, lineOf(file.signature, file.digest));
}

function hashAnew(
  look: Look,
  file: {
    readonly path: BytePath;
    readonly stats: BigIntStats;
    readonly signature: string;
    readonly system: string | Buffer;
    readonly hashedAt: number;
  },
): void {
  const { path, stats, signature } = file;
  const digest = hashEntry(file.system, stats);
  look.lines.set(path, lineOf(signature, digest));
  if (!isSettled(stats, file.hashedAt)) return;
  look.kept.set(path, { signature, digest });
  look.fresh += 1;
}

/** The mode stands last in a signature. */
function lineOf(signature: string, digest: string): string {
  return `${signature.slice(signature.lastIndexOf(" ") + 1)} ${digest}`;
}

function fingerprintOf({ lines }: Look): string {
  const paths = [...lines.keys()].sort();
  const text = paths.map((path) => `${lines.get(path) ?? ""} ${path}\0`).join("");
  return `sha256:${createHash("sha256").update(text, "latin1").digest("hex")}`;
}

/** Whether a later write is bound to leave another stamp. A stamp from the future never is. */
function isSettled(stats: BigIntStats, hashedAt: number): boolean {
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
