import { lstat, mkdir, readFile, rmdir, unlink } from "node:fs/promises";
import { TrueupError } from "../../../errors.ts";

const slash = Buffer.from("/");
const joinBytes = (parent: Buffer, name: Buffer): Buffer => Buffer.concat([parent, slash, name]);

/** The parts of a raw relative path. Throws `transport-broken` on one that leaves the tree. */
function parts(path: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0; start <= path.length;) {
    const end = path.indexOf(0x2f, start);
    const stop = end === -1 ? path.length : end;
    found.push(path.subarray(start, stop));
    start = stop + 1;
  }
  const bad = found.some(
    (part) => part.length === 0 || part.equals(Buffer.from(".")) || part.equals(Buffer.from("..")),
  );
  if (bad)
    throw new TrueupError("transport-broken", { subject: path.toString(), detail: "not a path inside the tree" });
  return found;
}

type Kind = "directory" | "other" | "absent";

async function kindOf(path: Buffer): Promise<Kind> {
  try {
    return (await lstat(path)).isDirectory() ? "directory" : "other";
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return "absent";
    throw error;
  }
}

/** What a path leads to when no link is followed: a link, or anything else, on the way makes it absent. */
async function plainKind(root: Buffer, path: Buffer): Promise<Kind> {
  let here = root;
  const names = parts(path);
  for (const [index, name] of names.entries()) {
    here = joinBytes(here, name);
    const kind = await kindOf(here);
    if (index === names.length - 1) return kind;
    if (kind !== "directory") return "absent";
  }
  return "absent";
}

/** The raw relative paths a delta deletes: NUL-separated in `<delta>.deletions`; none when there is no such file. */
async function readDeletions(delta: string): Promise<Buffer[]> {
  const bytes = await readFile(`${delta}.deletions`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  const paths: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start);
    const stop = end === -1 ? bytes.length : end;
    if (stop > start) paths.push(bytes.subarray(start, stop));
    start = stop + 1;
  }
  return paths;
}

/**
 * Removes from the merged tree what the deltas delete. A path that its own or a later delta holds again stays. Directories
 * that become empty go too, as they do in a checkout. No link is followed on the way.
 */
export async function applyDeletions(root: string, deltas: readonly string[]): Promise<void> {
  const tree = Buffer.from(root);
  for (const [index, delta] of deltas.entries()) {
    const later = deltas.slice(index).map((each) => Buffer.from(each));
    for (const path of await readDeletions(delta)) {
      const kinds = await Promise.all(later.map((each) => plainKind(each, path)));
      if (kinds.every((kind) => kind === "absent")) await removePlain(tree, path);
    }
  }
}

async function removePlain(tree: Buffer, path: Buffer): Promise<void> {
  if ((await plainKind(tree, path)) !== "other") return;
  const names = parts(path);
  const at = (length: number): Buffer => names.slice(0, length).reduce(joinBytes, tree);
  await unlink(at(names.length));
  for (let length = names.length - 1; length > 0; length -= 1) {
    const emptied = await rmdir(at(length)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOTEMPTY" || error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (!emptied) return;
  }
}

/** Makes the mount points. Throws `mount-point-taken` where the tree holds a file or a link on the way. */
export async function createMountPoints(root: string, mountPoints: readonly string[]): Promise<void> {
  for (const point of mountPoints) {
    let here: Buffer = Buffer.from(root);
    for (const name of parts(Buffer.from(point))) {
      here = joinBytes(here, name);
      const kind = await kindOf(here);
      if (kind === "other") throw new TrueupError("mount-point-taken", { subject: point });
      if (kind === "absent") await mkdir(here, { mode: 0o755 });
    }
  }
}

/**
 * Refuses mount targets that would be reached through a link left in the tree: bubblewrap follows links when it makes
 * mount points, and an earlier run may have put one there. Throws `mount-point-taken`.
 */
export async function assertPlainTargets(root: string, targets: readonly string[]): Promise<void> {
  for (const target of targets) {
    let here: Buffer = Buffer.from(root);
    for (const name of parts(Buffer.from(target))) {
      here = joinBytes(here, name);
      const entry = await lstat(here).catch(() => null);
      if (entry?.isSymbolicLink())
        throw new TrueupError("mount-point-taken", { subject: target, detail: "a link is in the way" });
    }
  }
}
