import { appendFileSync } from "node:fs";
import path from "node:path";
import type { HookNote, HookTrace } from "../../../ports/index.ts";
import { guarded, readTextFile } from "./state-files.ts";

/** A session's hook notes as JSON Lines in its directory. A line that cannot be read is left out: it only loses a warning. */
export function createHookTrace(directory: string): HookTrace {
  const file = path.join(directory, "hooks.jsonl");
  return {
    async note(note) {
      // One short write in append mode: hooks that run at the same time do not cut into each other.
      guarded(file, () => appendFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 }));
    },
    read: async () => (readTextFile(file) ?? "").split("\n").flatMap(parseNote),
  };
}

function parseNote(line: string): readonly HookNote[] {
  try {
    const value = JSON.parse(line) as Partial<Record<string, unknown>> | null;
    const { kind, client, hook, turn } = value ?? {};
    if (typeof client !== "string") return [];
    if (kind === "installed") return [{ kind, client }];
    if (kind === "fired" && typeof hook === "string") return [{ kind, client, hook }];
    return kind === "sent-back" && typeof turn === "string" ? [{ kind, client, turn }] : [];
  } catch {
    return [];
  }
}
