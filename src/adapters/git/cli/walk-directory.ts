import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { type BytePath, decodePath, type IgnoreFile, isIgnored, parseIgnoreFile } from "../../../core/change/index.ts";
import type { ChangeHazard } from "../../../core/facts/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { TreeListing } from "./tree-objects.ts";

/** What the walker passes on for each path that counts. */
export interface WalkVisitor {
  onFile(path: BytePath): void;
  onSymlink(path: BytePath): void;
  /** A directory where base has a submodule; `empty` when nothing is checked out in it. */
  onSubmodule(path: BytePath, empty: boolean): void;
}

export interface WalkRequest {
  /** Absolute path, one character a byte. */
  readonly root: BytePath;
  readonly base: TreeListing;
  readonly signal: AbortSignal | undefined;
}

export interface WalkResult {
  readonly ignored: number;
  readonly hazards: readonly ChangeHazard[];
}

const submodule = "160000";
const mostIgnoreBytes = 4 * 2 ** 20;

interface Place {
  readonly path: BytePath;
  readonly rules: readonly IgnoreFile[];
  /** Inside an ignored directory: only what base tracks counts. */
  readonly ignored: boolean;
}

/**
 * Walks a directory by `readdir` and `lstat`, never through a symlink, never into its own `.git`, and not into ignored
 * directories unless base tracks something below. Dead trees only: the caller has ended whatever wrote here.
 */
export async function walkDirectory(request: WalkRequest, visitor: WalkVisitor): Promise<WalkResult> {
  const hazards: ChangeHazard[] = [];
  let ignored = 0;
  let turns = 0;
  const places: Place[] = [{ path: "", rules: [], ignored: false }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (++turns % 16 === 0) await turn();
    if (request.signal?.aborted === true) throw new TrueupError("interrupted");
    const entries = readDirectory(request.root, place.path);
    const rules = place.ignored ? place.rules : withIgnoreFile(request.root, place, entries);
    for (const entry of entries) {
      const name = entry.name.toString("latin1");
      const path = place.path === "" ? name : `${place.path}/${name}`;
      if (name === ".git") {
        if (place.path !== "") hazards.push(nestedRepository(path));
        continue;
      }
      const kind = kindOf(entry, request.root, path);
      const tracked = request.base.items.get(path);
      const asked = tracked === undefined || kind === "directory";
      const skip = asked && (place.ignored || isIgnored(rules, path, kind === "directory"));
      if (kind === "directory" && tracked?.mode === submodule)
        visitor.onSubmodule(path, readDirectory(request.root, path).length === 0);
      else if (kind === "directory") {
        if (skip && !request.base.directories.has(path)) ignored += 1;
        else places.push({ path, rules, ignored: skip });
      } else if (skip) ignored += 1;
      else if (kind === "file") visitor.onFile(path);
      else if (kind === "symlink") visitor.onSymlink(path);
      else hazards.push({ kind: "device-or-socket", path: decodePath(path).path, detail: kind });
    }
  }
  return { ignored, hazards };
}

/** The bytes of a path below the root, for system calls. */
export function absolute(root: BytePath, path: BytePath): Buffer {
  return Buffer.from(path === "" ? root : `${root}/${path}`, "latin1");
}

/** The error for something in the tree that could not be read as it was found. */
export function unreadable(path: BytePath, error: unknown): TrueupError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  const vanished = path !== "" && (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR" || code === "ENXIO");
  return new TrueupError(vanished ? "tree-changed-while-read" : "tree-unreadable", {
    subject: decodePath(path).path || ".",
    detail: code,
    cause: error,
  });
}

function readDirectory(root: BytePath, path: BytePath): Dirent<Buffer>[] {
  try {
    if (lstatSync(absolute(root, path)).isSymbolicLink() && path !== "")
      throw Object.assign(new Error("symlink"), { code: "ELOOP" });
    return readdirSync(absolute(root, path), { encoding: "buffer", withFileTypes: true });
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Only a regular `.gitignore` counts; git does not follow a symlinked one either. */
function withIgnoreFile(root: BytePath, place: Place, entries: readonly Dirent<Buffer>[]): readonly IgnoreFile[] {
  const entry = entries.find((some) => some.name.toString("latin1") === ".gitignore");
  const path = place.path === "" ? ".gitignore" : `${place.path}/.gitignore`;
  if (entry === undefined || kindOf(entry, root, path) !== "file") return place.rules;
  const bytes = readSmall(root, path);
  return [...place.rules, parseIgnoreFile(place.path, bytes)];
}

function readSmall(root: BytePath, path: BytePath): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(absolute(root, path));
  } catch (error) {
    throw unreadable(path, error);
  }
  if (bytes.length > mostIgnoreBytes)
    throw new TrueupError("tree-unreadable", {
      subject: decodePath(path).path,
      detail: "an ignore file this long is not read",
    });
  return bytes;
}

type Kind = "file" | "directory" | "symlink" | "fifo" | "socket" | "device";

function kindOf(entry: Dirent<Buffer>, root: BytePath, path: BytePath): Kind {
  const known = kindBy(entry);
  if (known !== null) return known;
  try {
    return kindBy(lstatSync(absolute(root, path))) ?? "device";
  } catch (error) {
    throw unreadable(path, error);
  }
}

function kindBy(
  info: Pick<
    Dirent,
    "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket" | "isBlockDevice" | "isCharacterDevice"
  >,
): Kind | null {
  if (info.isFile()) return "file";
  if (info.isDirectory()) return "directory";
  if (info.isSymbolicLink()) return "symlink";
  if (info.isFIFO()) return "fifo";
  if (info.isSocket()) return "socket";
  return info.isBlockDevice() || info.isCharacterDevice() ? "device" : null;
}

function nestedRepository(path: BytePath): ChangeHazard {
  return {
    kind: "nested-repository",
    path: decodePath(path).path,
    detail: "a repository inside the tree is not captured",
  };
}
