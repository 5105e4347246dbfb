import { TrueupError, type ErrorCode } from "../../../errors.ts";

/** A JSON object as it was read: keys are own properties, values unchecked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a UTF-8 file that must hold one JSON object; a byte order mark is allowed, as npm allows it. Throws `code`. */
export function parseJsonObject(bytes: Uint8Array, path: string, code: ErrorCode): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new TrueupError(code, {
      subject: path,
      detail: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
  if (!isObject(value)) throw new TrueupError(code, { subject: path, detail: "it is not a JSON object" });
  return value;
}

/** Whether a value is a plain JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The string entries of a value that should be a map of strings; null when it is anything else. Absent is empty. */
export function stringMap(value: unknown): ReadonlyMap<string, string> | null {
  if (value === undefined) return new Map();
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  return entries.every((entry): entry is [string, string] => typeof entry[1] === "string") ? new Map(entries) : null;
}
