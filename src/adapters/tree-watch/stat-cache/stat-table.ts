import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { BytePath } from "../../../core/change/path-bytes.ts";

/** What was hashed once and need not be hashed again while its signature stays. */
export interface KnownFile {
  readonly signature: string;
  readonly digest: string;
}

const header = "trueup-stat-cache 1";

/** Reads the table; one that is absent, older or damaged is empty: then everything is hashed again. */
export function readStatTable(file: string): Map<BytePath, KnownFile> {
  const table = new Map<BytePath, KnownFile>();
  const fields = readOrEmpty(file).split("\0");
  if (fields[0] !== header || fields.at(-1) !== header) return table;
  for (let at = 1; at + 2 < fields.length; at += 3) {
    const [path, signature, digest] = [fields[at], fields[at + 1], fields[at + 2]];
    if (path !== undefined && signature !== undefined && digest !== undefined) table.set(path, { signature, digest });
  }
  return table;
}

/** Replaces the table whole. It saves time only: when it cannot be written, the next look hashes again. */
export function writeStatTable(file: string, table: ReadonlyMap<BytePath, KnownFile>): void {
  const fields = [header];
  for (const [path, { signature, digest }] of table) fields.push(path, signature, digest);
  fields.push(header);
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, fields.join("\0"), { encoding: "latin1", mode: 0o600 });
    renameSync(part, file);
  } catch {
    rmSync(part, { force: true });
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
