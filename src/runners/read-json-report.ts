import type { z } from "zod";
import { refuseBytes } from "./report-bytes.ts";

const depthLimit = 200;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** The index behind the string that begins at `start`; the text's length when it never ends. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === backslash) index += 1;
    else if (code === quote) return index + 1;
  }
  return text.length;
}

/** A key as JSON means it: two spellings of one key are one key. */
function keyOf(word: string): string {
  return word.includes("\\") ? String(JSON.parse(word)) : word.slice(1, -1);
}

/** One open bracket: the keys of an object so far, null for a list. */
interface Level {
  readonly keys: Set<string> | null;
  awaitsKey: boolean;
}

/**
 * What whole JSON may still hold that two readers would take differently, or that no runner writes: a key twice, the
 * key `__proto__`, nesting beyond the limit. Null when there is nothing. Takes text that is known to be JSON.
 */
function findTrap(text: string): string | null {
  const levels: Level[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const level = levels.at(-1);
    if (code === quote) {
      const end = endOfString(text, index);
      if (level?.keys != null && level.awaitsKey) {
        const key = keyOf(text.slice(index, end));
        if (key === "__proto__") return "the report has the key __proto__";
        if (level.keys.has(key)) return `the report has the key ${JSON.stringify(key.slice(0, 100))} twice`;
        level.keys.add(key);
        level.awaitsKey = false;
      }
      index = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      levels.push({ keys: code === 0x7b ? new Set() : null, awaitsKey: true });
    } else if (code === 0x7d || code === 0x5d) levels.pop();
    else if (code === comma && level !== undefined) level.awaitsKey = true;
  }
  return null;
}

/** True when brackets outside strings nest deeper than the limit: asked before anything recursive reads the text. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index) - 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > depthLimit) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}

/** The value of a JSON report, whatever runner wrote it; a string says why it is none. Never throws. */
export function parseJsonReport(bytes: Uint8Array): { readonly value: unknown } | string {
  const refused = refuseBytes(bytes);
  if (refused !== null) return refused;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (tooDeep(text)) return `the report nests deeper than ${depthLimit}`;
    const value: unknown = JSON.parse(text);
    return findTrap(text) ?? { value };
  } catch {
    return "the report is not whole JSON";
  }
}

/** The value in the given runner's shape; a string names the first key that does not fit. */
export function fitReport<T>(value: unknown, shape: z.ZodType<T>, name: string): { readonly report: T } | string {
  const parsed = shape.safeParse(value);
  if (parsed.success) return { report: parsed.data };
  const issue = parsed.error.issues[0];
  return `the report is not ${name}'s: ${issue?.path.map(String).join(".") ?? ""} ${issue?.message ?? ""}`.trim();
}
