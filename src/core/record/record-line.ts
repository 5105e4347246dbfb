import { hash } from "node:crypto";
import type { LogFault } from "./record.ts";

/** A line whose text is what its digest names; its shape is not looked at yet. */
export type OpenedLine =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: LogFault };

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
 * Opens one line of a log, without its newline: JSON, of a version this reader knows, unchanged since it was sealed.
 * `where` names the line in faults.
 */
export function openRecordLine(line: string, where: string): OpenedLine {
  const value = parseJson(line);
  if (value === undefined) return refuse("torn-line", `${where} is not whole`);
  const version = versionOf(value);
  if (version !== 1) return refuse("unknown-version", `${where} is of version ${JSON.stringify(version) ?? "none"}`);
  const digest = typeof value === "object" && value !== null && "digest" in value ? value.digest : undefined;
  if (typeof digest !== "string") return refuse("invalid-record", `${where} has no digest`);
  if (!textDigest(line, digest)) return refuse("broken-chain", `${where} is not what its digest names`);
  return { ok: true, value };
}
