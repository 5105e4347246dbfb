import type { Progress, ProgressEvent, StepName } from "../../ports/index.ts";
import { escapeTerminal } from "../../reporters/index.ts";
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

/**
 * Live progress as lines on stderr: each step as it starts, its time when it ends. `quiet` keeps only failures. Foreign
 * text cannot move the cursor, hide lines or command a pipeline: what would act is spelled out.
 */
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
  if (event.kind === "note") return `  · ${escapeTerminal(event.text)}`;
  if (event.kind === "output") return event.text.trim() === "" ? null : `  │ ${escapeTerminal(event.text)}`;
  const detail = escapeTerminal(event.detail);
  if (event.state === "start") return `▸ ${words[event.step]}`;
  if (event.state === "resumed") return `✓ ${words[event.step]}: ${detail}`;
  if (event.state === "failed") return `✗ ${words[event.step]}${detail === "" ? "" : ` (${detail})`}`;
  return `✓ ${words[event.step]} ${seconds()}`;
}

function elapsed(started: ReadonlyMap<StepName, number>, event: ProgressEvent, now: () => number): string {
  const since = event.step === null ? undefined : started.get(event.step);
  return since === undefined ? "" : `${((now() - since) / 1000).toFixed(1)} s`;
}
