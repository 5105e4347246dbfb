import type { TreeReader } from "../../ports/index.ts";
import { isLfsPath, isLfsPointer, lfsPatterns } from "../../core/fit/index.ts";
import { TrueupError } from "../../errors.ts";
import { readText } from "./tree-reader.ts";

/** Content of a tree that lies in no object of the repository itself: the tests that need it cannot run. */
export interface ContentElsewhere {
  readonly kind: "submodule" | "lfs";
  readonly path: string;
}

const submoduleMode = "160000";
/** A pointer is three short lines; a larger file is content. */
const largestPointer = 1024;

/** The submodules of a tree, and the first file of which only a Git LFS pointer is there. */
export async function findContentElsewhere(reader: TreeReader): Promise<readonly ContentElsewhere[]> {
  const submodules = reader.entries
    .filter((entry) => entry.mode === submoduleMode)
    .map(({ path }): ContentElsewhere => ({ kind: "submodule", path }));
  const pointer = await findPointer(reader);
  return pointer === null ? submodules : [...submodules, { kind: "lfs", path: pointer }];
}

async function findPointer(reader: TreeReader): Promise<string | null> {
  const attributes = reader.entries.filter(({ path }) => /(?:^|\/)\.gitattributes$/u.test(path));
  const files = await Promise.all(
    attributes.map(async ({ path }) => ({
      directory: path.slice(0, Math.max(0, path.length - "/.gitattributes".length)),
      text: (await readText(reader, path)) ?? "",
    })),
  );
  const patterns = lfsPatterns(files);
  if (patterns.every((file) => file.rules.length === 0)) return null;
  for (const { path, size } of reader.entries) {
    if (size > largestPointer || !isLfsPath(patterns, path)) continue;
    if (isLfsPointer((await readText(reader, path)) ?? "")) return path;
  }
  return null;
}

/** The error where such content may be why the base does not pass. */
export function contentElsewhereError(found: readonly ContentElsewhere[]): TrueupError {
  const submodules = found.filter((one) => one.kind === "submodule").map((one) => one.path);
  const pointer = found.find((one) => one.kind === "lfs");
  const words = [
    ...(submodules.length === 0 ? [] : [`submodules are not fetched: ${submodules.join(", ")}`]),
    ...(pointer === undefined ? [] : [`Git LFS content is not fetched: ${pointer.path} is only a pointer`]),
  ];
  return new TrueupError("repository-incomplete", { detail: words.join("; ") });
}
