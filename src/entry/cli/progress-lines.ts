import type { Progress, ProgressEvent, StepName } from "../../ports/index.ts";
import type { Terminal } from "./terminal.ts";

const words: Record<StepName, string> = {
  admit: "checking the task",
  lease: "taking the task",
  reconcile: "looking for earlier work",
  clone: "cloning the repository",
  toolchain: "finding the programs",
  bootstrap: "installing dependencies",
  baseline: "testing the untouched base",
  agent: "the agent works",
  capture: "capturing the change",
  verify: "re-testing the change in a clean room",
  publish: "publishing",
  confirm: "reading back",
};

/** Live progress as lines on stderr: each step as it starts, its time when it ends. `quiet` keeps only failures. */
export function createProgressLines(
  terminal: Terminal,
  options: { readonly quiet: boolean; readonly now: () => number },
): Progress {
  const started = new Map<StepName, number>();
  const write = (text: string): void => void terminal.stderr.write(`${text}\n`);
  return {
    report(event) {
      if (event.kind === "step" && event.state === "start") started.set(event.step, options.now());
      const line =
        options.quiet && !isFailure(event) ? null : lineOf(event, () => elapsed(started, event, options.now));
      if (line !== null) write(line);
    },
  };
}

function isFailure(event: ProgressEvent): boolean {
  return event.kind === "step" && event.state === "failed";
}

function lineOf(event: ProgressEvent, seconds: () => string): string | null {
  if (event.kind === "note") return `  · ${event.text}`;
  if (event.kind === "output") return event.text.trim() === "" ? null : `  │ ${printable(event.text)}`;
  if (event.state === "start") return `▸ ${words[event.step]}`;
  if (event.state === "resumed") return `✓ ${words[event.step]}: ${event.detail}`;
  if (event.state === "failed") return `✗ ${words[event.step]}${event.detail === "" ? "" : ` (${event.detail})`}`;
  return `✓ ${words[event.step]} ${seconds()}`;
}

function elapsed(started: ReadonlyMap<StepName, number>, event: ProgressEvent, now: () => number): string {
  const since = event.step === null ? undefined : started.get(event.step);
  return since === undefined ? "" : `${((now() - since) / 1000).toFixed(1)} s`;
}

/** Agent output is shown without control characters, so that it cannot move the cursor or hide lines. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, "");
}
