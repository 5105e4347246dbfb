/** What bubblewrap wrote on its status descriptor. */
export interface StatusLines {
  /** The sandbox's first process, by the executor's pid numbers; null when nothing was started. */
  readonly childPid: number | null;
  /** The program's exit code; null when bubblewrap never wrote one. */
  readonly exitCode: number | null;
}

/** Decodes the JSON lines of `--json-status-fd`; an unreadable line tells nothing. */
export function decodeStatusLines(text: string): StatusLines {
  const facts = text.split("\n").flatMap((line) => decodeLine(line));
  const last = (key: string): number | null => {
    const value = facts.findLast((fact) => key in fact)?.[key];
    return typeof value === "number" && Number.isInteger(value) ? value : null;
  };
  return { childPid: last("child-pid"), exitCode: last("exit-code") };
}

function decodeLine(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value as Record<string, unknown>] : [];
  } catch {
    return [];
  }
}
