import { type Decoded, refused, splitRecords } from "./decoded.ts";
import type { BytePath } from "./path-bytes.ts";

/** One line of a recursive tree listing. `size` is null where git prints `-` or sizes were not asked for. */
export interface TreeLine {
  readonly path: BytePath;
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly id: string;
  readonly size: number | null;
}

const line = /^([0-7]{6}) (blob|tree|commit) ([0-9a-f]+)(?: +([0-9]+|-))?\t(.+)$/su;

/** Decodes `ls-tree -r -z`, with or without `-l` and `-t`. */
export function decodeTree(bytes: Uint8Array, idLength: 40 | 64): Decoded<readonly TreeLine[]> {
  const records = splitRecords(bytes);
  if (records === null) return refused("the listing does not end in NUL");
  const lines: TreeLine[] = [];
  for (const record of records) {
    const match = line.exec(record);
    if (match === null) return refused(`not a tree entry: ${record.slice(0, 120)}`);
    const [, mode = "", type = "", id = "", size, path = ""] = match;
    if (id.length !== idLength) return refused("an object id is not full");
    lines.push({
      path,
      mode,
      type: type as TreeLine["type"],
      id,
      size: size === undefined || size === "-" ? null : Number(size),
    });
  }
  return { ok: true, value: lines };
}
