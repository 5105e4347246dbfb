import { Writable } from "node:stream";
import { expect, test } from "vitest";
import type { ProgressEvent } from "../../ports/index.ts";
import { createProgressLines } from "./progress-lines.ts";

function linesOf(events: readonly ProgressEvent[], quiet = false): readonly string[] {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString("utf8"));
      done();
    },
  });
  const terminal = { stdout: stream, stderr: stream, env: {}, cwd: "/", signal: new AbortController().signal };
  const progress = createProgressLines(terminal, { quiet, now: () => 1500 });
  for (const event of events) progress.report(event);
  return chunks.join("").trimEnd().split("\n");
}

/** Clears the screen, goes up a line, reverses the text's direction, commands a pipeline. */
const hostile = "::error::x\u001b[2J\u001b[1A\r\u202egone\u0007\u009b1m";

test.each<[string, ProgressEvent]>([
  ["the agent's output", { kind: "output", step: "agent", text: hostile }],
  ["a note", { kind: "note", step: "baseline", text: hostile }],
  ["the detail of a resumed step", { kind: "step", step: "agent", state: "resumed", detail: hostile }],
  ["the detail of a failed step", { kind: "step", step: "agent", state: "failed", detail: hostile }],
])("control characters, new lines and workflow commands in %s cannot act", (_what, event) => {
  const lines = linesOf([event]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(lines[0]).not.toMatch(/^\s*::/u);
  expect(lines[0]).toContain("gone");
});

test("a text of several lines stays on its own line", () => {
  expect(linesOf([{ kind: "note", step: null, text: "one\n✓ publishing" }])).toEqual([
    String.raw`  · one\n✓ publishing`,
  ]);
});

test("quiet keeps failures only", () => {
  const events: ProgressEvent[] = [
    { kind: "step", step: "clone", state: "start", detail: "" },
    { kind: "note", step: "clone", text: "note" },
    { kind: "step", step: "clone", state: "failed", detail: "base-not-found" },
  ];
  expect(linesOf(events, true)).toEqual(["✗ cloning the repository (base-not-found)"]);
  expect(linesOf(events)).toEqual([
    "▸ cloning the repository",
    "  · note",
    "✗ cloning the repository (base-not-found)",
  ]);
});
