import {
  lineEndingRule,
  looksLikeText,
  type PathAttributes,
  withoutCarriageReturns,
} from "../../../core/change/index.ts";
import type { ObjectFormat } from "./mirror-store.ts";
import { objectId } from "./object-id.ts";
import type { TreeItem } from "./tree-objects.ts";

/** How base's blobs are looked at. */
export interface BaseBlobs {
  readonly format: ObjectFormat;
  read(id: string): Promise<Uint8Array>;
}

/** One file that differs from base, as it lies in the work tree. */
export interface NormalFormRequest {
  readonly raw: Uint8Array;
  readonly tracked: TreeItem | null;
  readonly attributes: PathAttributes | null;
  /** The rule where attributes say nothing. */
  readonly fallback: "as-is" | "auto";
  readonly blobs: BaseBlobs;
}

/** The bytes to store, and what could not be converted. */
export interface NormalForm {
  readonly bytes: Uint8Array;
  readonly doubt: "lfs" | "filter" | "ident" | "working-tree-encoding" | null;
}

const lfsPointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:[a-z0-9.-]+ [^\n]+\n)+$/u;
const longestPointer = 1024;

/** The form `git add` would store under base's attributes. External filters are never run: what needs one is in doubt. */
export async function normalForm(request: NormalFormRequest): Promise<NormalForm> {
  const { raw, attributes } = request;
  return { bytes: await convertLines(request), doubt: attributes === null ? null : doubtOf(raw, attributes) };
}

async function convertLines({ raw, tracked, attributes, fallback, blobs }: NormalFormRequest): Promise<Uint8Array> {
  const rule = lineEndingRule(attributes, fallback);
  if (rule === "as-is") return raw;
  if (rule === "auto" && !looksLikeText(raw)) return raw;
  const converted = withoutCarriageReturns(raw);
  if (converted === raw || rule === "text" || tracked === null || !tracked.mode.startsWith("100")) return converted;
  if (objectId(blobs.format, "blob", converted) === tracked.id) return converted;
  // Git leaves a file alone that is stored with CRLF already.
  return Buffer.from(await blobs.read(tracked.id)).includes("\r\n") ? raw : converted;
}

function doubtOf(raw: Uint8Array, attributes: PathAttributes): NormalForm["doubt"] {
  if (attributes.filter === "lfs") return isPointer(raw) ? null : "lfs";
  if (isSet(attributes.filter)) return "filter";
  if (isSet(attributes["working-tree-encoding"])) return "working-tree-encoding";
  return isSet(attributes.ident) && Buffer.from(raw).includes("$Id: ") ? "ident" : null;
}

function isSet(value: string): boolean {
  return value !== "unspecified" && value !== "unset";
}

function isPointer(raw: Uint8Array): boolean {
  return raw.length <= longestPointer && lfsPointer.test(Buffer.from(raw).toString("latin1"));
}
