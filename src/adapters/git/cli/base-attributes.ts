import { join } from "node:path";
import { attributeNames, type BytePath, type PathAttributes } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import { runGit } from "./git-process.ts";
import { type MirrorContext, withScratch } from "./mirror-store.ts";
import type { TreeListing } from "./tree-objects.ts";

/**
 * The attributes that base's own `.gitattributes` give to paths, read from a private index that holds nothing else.
 * Neither the captured tree's files nor any of the machine's count. Empty when base has no such file.
 */
export async function readBaseAttributes(
  context: MirrorContext,
  base: TreeListing,
  paths: readonly BytePath[],
): Promise<ReadonlyMap<BytePath, PathAttributes>> {
  const files = [...base.items].filter(
    ([path, item]) => /(?:^|\/)\.gitattributes$/u.test(path) && item.mode.startsWith("100"),
  );
  if (files.length === 0 || paths.length === 0) return new Map();
  return withScratch(context, async (scratch) => {
    const env = {
      GIT_INDEX_FILE: join(scratch, "index"),
      GIT_OBJECT_DIRECTORY: join(context.place.directory, "objects"),
    };
    const call = { gitDirectory: context.place.plain, env };
    const lines = files.map(([path, item]) => `${item.mode} ${item.id} 0\t${path}\0`).join("");
    await runGit(context.settings, {
      ...call,
      args: ["update-index", "-z", "--index-info"],
      input: Buffer.from(lines, "latin1"),
    });
    const answer = await runGit(context.settings, {
      ...call,
      args: ["check-attr", "--cached", "-z", "--stdin", ...attributeNames],
      input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    });
    return decodeAttributes(answer.stdout, paths);
  });
}

/** Decodes `<path> NUL <name> NUL <value> NUL`, in the order that was asked for. */
function decodeAttributes(bytes: Buffer, paths: readonly BytePath[]): ReadonlyMap<BytePath, PathAttributes> {
  const fields = bytes.toString("latin1").split("\0");
  if (fields.pop() !== "" || fields.length !== paths.length * attributeNames.length * 3)
    throw broken("records are missing");
  const found = new Map<BytePath, PathAttributes>();
  let at = 0;
  for (const path of paths) {
    const values: Record<string, string> = {};
    for (const name of attributeNames) {
      if (fields[at] !== path || fields[at + 1] !== name) throw broken(`not the answer for ${name}`);
      values[name] = fields[at + 2] ?? "";
      at += 3;
    }
    found.set(path, values as unknown as PathAttributes);
  }
  return found;
}

function broken(detail: string): TrueupError {
  return new TrueupError("git-facts-undecodable", { subject: "attributes", detail });
}
