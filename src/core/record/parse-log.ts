import type { CommandRecord, LogFault } from "./record.ts";
import { openRecordLine } from "./record-line.ts";
import { recordSchema } from "./record-schema.ts";

/** A record, or the fault that keeps its line from being one. */
export type ParsedLine =
  { readonly ok: true; readonly record: CommandRecord } | { readonly ok: false; readonly fault: LogFault };

/** Reads one line strictly: whole, of a known version, unchanged since it was sealed, exactly the record's shape. */
export function parseRecordLine(line: string, where = "the line"): ParsedLine {
  const opened = openRecordLine(line, where);
  if (!opened.ok) return opened;
  const parsed = recordSchema.safeParse(opened.record);
  if (parsed.success) return { ok: true, record: parsed.data };
  const issue = parsed.error.issues[0];
  const detail = `${where}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is no record"}`;
  return { ok: false, fault: { kind: "invalid-record", detail } };
}

/** What a log's text holds: its records in order, and each line that is none. Links are not checked (`verifyLinks`). */
export interface ParsedLog {
  readonly records: readonly CommandRecord[];
  readonly faults: readonly LogFault[];
}

/** Reads the bytes of one log file. A last line without its newline was torn, whatever it holds. `name` is for faults. */
export function parseLog(bytes: Uint8Array, name: string): ParsedLog {
  const records: CommandRecord[] = [];
  const faults: LogFault[] = [];
  const lines = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n");
  const last = lines.pop() ?? "";
  lines.forEach((line, index) => {
    const parsed = parseRecordLine(line, `${name}, line ${index + 1}`);
    if (parsed.ok) records.push(parsed.record);
    else faults.push(parsed.fault);
  });
  if (last !== "") faults.push({ kind: "torn-line", detail: `${name} ends within line ${lines.length + 1}` });
  return { records, faults };
}
