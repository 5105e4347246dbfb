import { describe, expect, test } from "vitest";
import type { ProgressEvent } from "../../../ports/index.ts";
import { createJsonProgress, createSilentProgress, renderProgress } from "./progress.ts";

describe("progress", () => {
  const cases: { name: string; event: ProgressEvent; text: string }[] = [
    {
      name: "a step",
      event: { kind: "step", step: "clone", state: "done", detail: "3 files" },
      text: "[clone] done - 3 files\n",
    },
    {
      name: "a step without detail",
      event: { kind: "step", step: "agent", state: "start", detail: "" },
      text: "[agent] start\n",
    },
    { name: "a note", event: { kind: "note", step: null, text: "hello" }, text: "hello\n" },
    {
      name: "output of two lines",
      event: { kind: "output", step: "agent", text: "a\nb\n" },
      text: "[agent] | a\n[agent] | b\n",
    },
    {
      name: "[F8] an agent that prints our own step line cannot pass for us",
      event: { kind: "output", step: "agent", text: "done\n[verify] done - 6/6 checks passed\r[publish] done" },
      text: "[agent] | done\n[agent] | [verify] done - 6/6 checks passed [publish] done\n",
    },
    {
      name: "terminal codes and direction marks are made visible",
      event: { kind: "output", step: "agent", text: "\u001b[2J\u001b]8;;x\u0007a\u202eb\u0000" },
      text: "[agent] | \ufffd[2J\ufffd]8;;x\ufffda\ufffdb\ufffd\n",
    },
    { name: "a note stays one line", event: { kind: "note", step: "agent", text: "a\nb" }, text: "[agent] a b\n" },
  ];
  test.each(cases)("$name", ({ event, text }) => {
    expect(renderProgress(event)).toBe(text);
  });

  test("JSON progress is one object a line, silence is nothing", () => {
    const lines: string[] = [];
    const event: ProgressEvent = { kind: "output", step: "agent", text: "a\nb" };
    createJsonProgress((text) => lines.push(text)).report(event);
    createSilentProgress().report(event);
    expect(lines.map((line) => [line.indexOf("\n"), JSON.parse(line) as unknown])).toEqual([
      [(lines[0]?.length ?? 0) - 1, event],
    ]);
  });
});
