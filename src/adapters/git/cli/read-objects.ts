import { TrueupError } from "../../../errors.ts";
import { type GitCall, streamGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";

/** One object as `cat-file --batch` gave it. */
export interface ReadObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** 1 GiB: a larger object is refused rather than read into memory. */
const largest = 2 ** 30;

/**
 * Reads objects in order through one `cat-file --batch`, handing each over as it is complete. A missing or broken
 * object is `mirror-broken`, never an absence.
 */
export async function readObjects(
  context: MirrorContext,
  ids: readonly string[],
  onObject: (object: ReadObject, index: number) => void,
): Promise<void> {
  await readObjectsBy(context, { ids, call: { gitDirectory: context.place.directory } }, onObject);
}

/** As `readObjects`, through another repository of ours. */
export async function readObjectsBy(
  context: MirrorContext,
  request: { readonly ids: readonly string[]; readonly call: Pick<GitCall, "env" | "gitDirectory"> },
  onObject: (object: ReadObject, index: number) => void,
): Promise<void> {
  if (request.ids.length === 0) return;
  const parser = createBatchParser(request.ids, onObject);
  const input = Buffer.from(`${request.ids.join("\n")}\n`);
  const call = { ...request.call, args: ["cat-file", "--batch", "--buffer"], input };
  await streamGit(context.settings, call, (chunk) => parser.push(chunk));
  parser.end();
}

/** One blob's bytes. */
export async function readBlob(context: MirrorContext, id: string): Promise<Buffer> {
  let found: Buffer | null = null;
  await readObjects(context, [id], (object) => {
    if (object.type === "blob") found = object.bytes;
  });
  if (found === null) throw new TrueupError("mirror-broken", { subject: id, detail: "not a blob" });
  return found;
}

/** Sizes of objects in bytes by id; ids that are not there are absent. */
export async function readSizes(
  call: (args: readonly string[], input: Buffer) => Promise<Buffer>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const answer = await call(
    ["cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer"],
    Buffer.from(`${ids.join("\n")}\n`),
  );
  const sizes = new Map<string, number>();
  for (const line of answer.toString("latin1").split("\n")) {
    const match = /^([0-9a-f]+) ([0-9]+)$/u.exec(line);
    if (match !== null) sizes.set(match[1] ?? "", Number(match[2]));
  }
  return sizes;
}

/** Cuts the answer of `cat-file --batch` into objects: `<id> <type> <size>` LF, the bytes, LF. */
function createBatchParser(
  ids: readonly string[],
  onObject: (object: ReadObject, index: number) => void,
): { push(chunk: Buffer): void; end(): void } {
  let index = 0;
  let waiting: Buffer[] = [];
  let length = 0;
  let head: { id: string; type: string; size: number } | null = null;
  const take = (): void => {
    if (head !== null && length < head.size + 1) return;
    let all = waiting.length === 1 ? (waiting[0] ?? Buffer.alloc(0)) : Buffer.concat(waiting);
    for (;;) {
      if (head === null) {
        const end = all.indexOf(0x0a);
        if (end < 0) break;
        head = decodeHead(all.toString("latin1", 0, end), ids[index]);
        all = all.subarray(end + 1);
      }
      if (all.length < head.size + 1) break;
      if (all[head.size] !== 0x0a)
        throw new TrueupError("mirror-broken", { subject: head.id, detail: "its length is wrong" });
      onObject({ id: head.id, type: head.type, bytes: all.subarray(0, head.size) }, index);
      all = all.subarray(head.size + 1);
      head = null;
      index += 1;
    }
    waiting = all.length === 0 ? [] : [all];
    length = all.length;
  };
  return {
    push(chunk) {
      waiting.push(chunk);
      length += chunk.length;
      take();
    },
    end() {
      if (index !== ids.length || length > 0)
        throw new TrueupError("mirror-broken", { detail: `${index} of ${ids.length} objects could be read` });
    },
  };
}

function decodeHead(line: string, wanted: string | undefined): { id: string; type: string; size: number } {
  const match = /^([0-9a-f]+) ([a-z]+) ([0-9]+)$/u.exec(line);
  if (match === null || match[1] !== wanted)
    throw new TrueupError("mirror-broken", { subject: wanted ?? "", detail: line.slice(0, 200) });
  const size = Number(match[3]);
  if (size > largest)
    throw new TrueupError("git-failed", { subject: match[1] ?? "", detail: `${size} bytes are too many for one file` });
  return { id: match[1] ?? "", type: match[2] ?? "", size };
}
