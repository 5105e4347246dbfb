import { hash } from "node:crypto";
import type { CommandRecord, LogFault } from "./record.ts";

/** A line whose text is what its digest names, or the fault that keeps it from being a record. */
export type OpenedLine =
  { readonly ok: true; readonly record: CommandRecord } | { readonly ok: false; readonly fault: LogFault };

const digestMember = /"digest":"(sha256:[0-9a-f]{64})",/u;

function refuse(kind: LogFault["kind"], detail: string): OpenedLine {
  return { ok: false, fault: { kind, detail } };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

const textKeys = ["command_id", "session_id", "cwd", "started_at", "actor", "role", "digest"] as const;
const listKeys = ["argv", "matches"] as const;
const objectKeys = ["stdout", "stderr"] as const;

/** Enough of the shape to be shown and compared; `recordSchema` is the whole of it. */
function isRecordLike(value: object): value is CommandRecord {
  const fields = value as Partial<Record<string, unknown>>;
  const list = (key: string): boolean => {
    const items = fields[key];
    return Array.isArray(items) && items.every((item) => typeof item === "string");
  };
  return (
    textKeys.every((key) => typeof fields[key] === "string") &&
    listKeys.every(list) &&
    objectKeys.every((key) => typeof fields[key] === "object" && fields[key] !== null)
  );
}

function versionOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "version" in value ? value.version : undefined;
}

/** The digest a line carries, where it is the digest of the rest of its text: records are written in one form only. */
function textDigest(line: string, digest: string): boolean {
  // A member of that name can stand deeper too, in no record of ours; then neither text hashes to the record's own.
  const text = line.replace(digestMember, "");
  return `sha256:${hash("sha256", text)}` === digest;
}

/**
 * Opens one line of a log, without its newline: JSON, of a version this reader knows, unchanged since it was sealed. No
 * schema is loaded, since every command's wrapper reads the newest records. `where` names the line in faults.
 */
export function openRecordLine(line: string, where: string): OpenedLine {
  const value = parseJson(line);
  if (value === undefined) return refuse("torn-line", `${where} is not whole`);
  const version = versionOf(value);
  if (version !== 1) return refuse("unknown-version", `${where} is of version ${JSON.stringify(version) ?? "none"}`);
  if (typeof value !== "object" || value === null || !isRecordLike(value)) {
    return refuse("invalid-record", `${where} is no record`);
  }
  if (!textDigest(line, value.digest)) return refuse("broken-chain", `${where} is not what its digest names`);
  return { ok: true, record: value };
}
