import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { TrueupError } from "../../../errors.ts";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { objectId, type ObjectKind } from "./object-id.ts";

/** Writes objects into a mirror through `unpack-objects`, in packs of bounded size. Nothing is there before `flush`. */
export interface ObjectWriter {
  /** Takes one object and says its id. */
  add(kind: ObjectKind, bytes: Uint8Array): Promise<string>;
  flush(): Promise<void>;
}

/** 32 MiB of compressed objects are written at a time. */
const packBytes = 32 * 2 ** 20;
const kindCode: Readonly<Record<ObjectKind, number>> = { tree: 2, blob: 3 };

/** Ids in `present` are in the mirror already and are not written again. */
export function createObjectWriter(context: MirrorContext, present: (id: string) => boolean): ObjectWriter {
  let parts: Buffer[] = [];
  let size = 0;
  let written = new Set<string>();
  const flush = async (): Promise<void> => {
    if (parts.length === 0) return;
    const pack = encodePack(parts, context.objectFormat);
    parts = [];
    size = 0;
    await runGit(context.settings, {
      args: ["unpack-objects", "-q"],
      gitDirectory: context.place.directory,
      input: pack,
    });
  };
  return {
    async add(kind, bytes) {
      const id = objectId(context.objectFormat, kind, bytes);
      if (present(id) || written.has(id)) return id;
      written = written.add(id);
      const part = encodeObject(kind, bytes);
      parts.push(part);
      size += part.length;
      if (size > packBytes) await flush();
      return id;
    },
    flush,
  };
}

/** One object of a pack: kind and length, seven bits a byte after the first four, then zlib. */
function encodeObject(kind: ObjectKind, bytes: Uint8Array): Buffer {
  const head: number[] = [];
  let left = Math.floor(bytes.length / 16);
  head.push((kindCode[kind] << 4) | (bytes.length % 16));
  while (left > 0) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 0x80;
    head.push(left % 128);
    left = Math.floor(left / 128);
  }
  return Buffer.concat([Buffer.from(head), deflateSync(bytes, { level: 1 })]);
}

function encodePack(parts: readonly Buffer[], format: MirrorContext["objectFormat"]): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK", "latin1");
  head.writeUInt32BE(2, 4);
  if (parts.length > 0xffff_ffff) throw new TrueupError("git-failed", { detail: "too many objects" });
  head.writeUInt32BE(parts.length, 8);
  const body = Buffer.concat([head, ...parts]);
  return Buffer.concat([body, createHash(format).update(body).digest()]);
}
