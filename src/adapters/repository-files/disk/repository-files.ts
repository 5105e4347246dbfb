import { lstat, mkdir, readFile, rename, rm, rmdir, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256, type Digest } from "../../../core/digest.ts";
import type { FileState } from "../../../core/init/index.ts";
import type { RepositoryFiles } from "../../../ports/index.ts";

/** 1 MiB: no file that `init` proposes is near it. */
const longest = 2 ** 20;

/** The files of a work tree on this disk. `root` is a real path. */
export function createRepositoryFiles(root: string): RepositoryFiles {
  const at = (name: string): string => path.join(root, name);
  const read = (name: string): Promise<FileState> => readState(root, name);
  return {
    root,
    read,
    async create(name, text) {
      const directories = await makeDirectories(root, path.dirname(name));
      if (directories === null) return { outcome: "in-the-way" };
      try {
        await writeFile(at(name), text, { flag: "wx", mode: 0o644 });
        return { outcome: "created", directories };
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        return { outcome: "in-the-way" };
      }
    },
    async replace(name, text, expected) {
      if (!(await has(read, name, expected))) return "changed";
      const part = `${at(name)}.${process.pid}.part`;
      try {
        await writeFile(part, text, { flag: "wx", mode: 0o644 });
        await rename(part, at(name));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return "replaced";
    },
    async remove(name, expected) {
      if ((await read(name)).kind === "absent") return "absent";
      if (!(await has(read, name, expected))) return "changed";
      await unlink(at(name));
      return "removed";
    },
    async removeEmptyDirectory(name) {
      try {
        if (await linkOnTheWay(root, name)) return false;
        await rmdir(at(name));
        return true;
      } catch (error) {
        if (["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(codeOf(error))) return false;
        if (codeOf(error) === "ENOENT") return true;
        throw error;
      }
    },
  };
}

async function has(read: RepositoryFiles["read"], name: string, expected: Digest): Promise<boolean> {
  const state = await read(name);
  return state.kind === "text" && state.digest === expected;
}

async function readState(root: string, name: string): Promise<FileState> {
  if (await linkOnTheWay(root, path.dirname(name)))
    return { kind: "other", what: "a symbolic link or file on the way" };
  const full = path.join(root, name);
  const info = await lstat(full).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (info === null) return { kind: "absent" };
  if (info.isSymbolicLink()) return { kind: "other", what: "a symbolic link" };
  if (!info.isFile()) return { kind: "other", what: "no regular file" };
  if (info.size > longest) return { kind: "other", what: "a file of more than 1 MiB" };
  const bytes = await readFile(full);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) return { kind: "other", what: "a file that is no text" };
  return { kind: "text", text, digest: sha256(bytes) };
}

/** Whether anything between the root and a directory is no real directory; what is not there is none. */
async function linkOnTheWay(root: string, directory: string): Promise<boolean> {
  for (const part of ancestors(directory)) {
    const info = await lstat(path.join(root, part)).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    if (info === null) return false;
    if (!info.isDirectory()) return true;
  }
  return false;
}

/** Makes what is missing, outermost first; null when something else stands there. */
async function makeDirectories(root: string, directory: string): Promise<readonly string[] | null> {
  if (await linkOnTheWay(root, directory)) return null;
  const made: string[] = [];
  for (const part of ancestors(directory)) {
    try {
      await mkdir(path.join(root, part));
      made.push(part);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  return made;
}

/** `a`, `a/b`, `a/b/c` of `a/b/c`; nothing of `.`. */
function ancestors(directory: string): readonly string[] {
  const parts = directory.split("/").filter((part) => part !== "" && part !== ".");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
