import type { Progress, ProgressEvent } from "../../../ports/index.ts";

/** Where lines go: standard error, or a test's list. */
export type WriteText = (text: string) => void;

/** Replaces what a terminal would act upon; text from agents and repositories must not move the cursor or forge a line. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

function oneLine(text: string): string {
  return withoutControls(text.replace(/\r?\n|\r/gu, " ")).trimEnd();
}

/** An event as lines for people, each ended by a newline; output is set off by a bar, so it cannot pass for our words. */
export function renderProgress(event: ProgressEvent): string {
  switch (event.kind) {
    case "step":
      return `[${event.step}] ${event.state}${event.detail === "" ? "" : ` - ${oneLine(event.detail)}`}\n`;
    case "note":
      return `${event.step === null ? "" : `[${event.step}] `}${oneLine(event.text)}\n`;
    case "output": {
      const lines = event.text.replace(/\r?\n$/u, "").split(/\r?\n/u);
      return lines.map((line) => `[${event.step}] | ${oneLine(line)}\n`).join("");
    }
  }
}

/** Live progress for people. */
export function createTextProgress(write: WriteText): Progress {
  return { report: (event) => write(renderProgress(event)) };
}

/** Live progress for programs: one JSON object a line. */
export function createJsonProgress(write: WriteText): Progress {
  return { report: (event) => write(`${JSON.stringify(event)}\n`) };
}

/** No progress. */
export function createSilentProgress(): Progress {
  return { report: () => undefined };
}
