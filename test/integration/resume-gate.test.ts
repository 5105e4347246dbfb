import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPipeline, type Delivered, type Pipeline, type Ran } from "./pipeline-stage.ts";

const contract = { changed_files_only: ["notes.txt"], max_added_lines: 1, commands: [{ command: "true" }] };
const names = ["facts.json", "verdict.json", "contract.json"] as const;

describe("the gate over stored artifacts", () => {
  let pipeline: Pipeline;
  let passed: Delivered;
  let blocked: Delivered;

  beforeAll(async () => {
    pipeline = openPipeline({ "notes.txt": "one\n" });
    const write = (file: string) => [{ write: { path: file, text: "TWO\n" } }] as const;
    passed = await pipeline.deliver({ contract, steps: write("notes.txt"), title: "Passes" });
    blocked = await pipeline.deliver({ contract, steps: write("other.txt"), title: "Is blocked" });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  /** Judges a copy of the artifacts after `alter`; null removes a file. */
  async function gate(
    from: Delivered,
    alter: Partial<Record<string, (text: string) => string | null>>,
    ...flags: string[]
  ): Promise<Ran> {
    const copy = mkdtempSync(path.join(pipeline.home, "out-"));
    cpSync(from.out, copy, { recursive: true });
    for (const [name, change] of Object.entries(alter)) {
      const file = path.join(copy, name);
      const text = change?.(readFileSync(file, "utf8")) ?? null;
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
    }
    const ran = await pipeline.run(pipeline.home, ["gate", copy, "--json", ...flags]);
    rmSync(copy, { recursive: true });
    return ran;
  }

  test("[B1] the same artifacts give the same bytes of verdict and the same exit code", async () => {
    const again = await gate(passed, {});
    expect([again.exit, again.answer["stored_verdict_agrees"], again.verdict]).toEqual([0, true, passed.verdict]);
    expect((await gate(blocked, {})).exit).toBe(1);
  });

  test.each([
    [
      "a blocked change's facts with the path put into the scope",
      { "facts.json": (text: string) => text.replaceAll("other.txt", "notes.txt") },
    ],
    [
      "a blocked change's contract that opens the scope",
      { "contract.json": (text: string) => text.replace("notes.txt", "other.txt") },
    ],
    ["a log of the executor's runs that is gone", { "records.jsonl": () => null }],
    ["a log of the executor's runs with a line more", { "records.jsonl": (text: string) => `${text}{}\n` }],
    [
      "a log of the executor's runs with another exit code",
      { "records.jsonl": (text: string) => text.replace('"exit_code":0', '"exit_code":1') },
    ],
    [
      "a blocked verdict that says passed",
      { "verdict.json": (text: string) => text.replace('"outcome":"blocked"', '"outcome":"passed"') },
    ],
    [
      "facts that name no contract",
      { "facts.json": (text: string) => text.replace(/"contract_digest":"[^"]*"/u, '"contract_digest":null') },
    ],
    ["facts without their contract", { "contract.json": () => null }],
    ["a contract of another delivery", { "contract.json": () => '{"changed_files_only":["**"]}' }],
    ["facts with one more key", { "facts.json": (text: string) => text.replace("{", '{"approved":true,') }],
    [
      "facts with a key twice, the first for readers",
      { "facts.json": (text: string) => text.replace('{"agent"', '{"contract_digest":"sha256:0","agent"') },
    ],
    ["facts of a later version", { "facts.json": (text: string) => text.replace(/"version":1\}$/u, '"version":2}') }],
    [
      "a verdict whose policy asks for less",
      { "verdict.json": (text: string) => text.replace(/"minimum_grade":"."/u, '"minimum_grade":"D"') },
    ],
    [
      "a verdict whose policy is no policy",
      { "verdict.json": (text: string) => text.replace(/"minimum_grade":"."/u, '"minimum_grade":"Z"') },
    ],
    [
      "a verdict without its policy",
      { "verdict.json": (text: string) => text.replace(/"policy":\{[^}]*\}/u, '"policy":null') },
    ],
    ["no verdict", { "verdict.json": () => null }],
    ["no facts", { "facts.json": () => null }],
    ["facts that are a list", { "facts.json": () => "[]" }],
    ["facts that are null", { "facts.json": () => "null" }],
  ])("[B7] never exit 0: %s", async (_what, alter) => {
    for (const from of [passed, blocked]) {
      const ran = await gate(from, alter);
      const untouched = Object.entries(alter).every(([name, change]) => {
        const text = readFileSync(path.join(from.out, name), "utf8");
        return change(text) === text;
      });
      if (untouched) continue;
      expect(ran.exit).not.toBe(0);
      expect(ran.stderr + ran.stdout).not.toMatch(/^\s+at .*\.ts/mu);
      if (ran.verdict === null) expect(ran.error).toMatch(/^(?:artifacts-(?:damaged|invalid)|contract-changed)$/u);
    }
  });

  test.each(names)("[B7] %s cut off at any length is never exit 0, and never a bug", async (name) => {
    const whole = readFileSync(path.join(passed.out, name), "utf8");
    const lengths = [...Array(40).keys()].map((step) => Math.floor((step * whole.length) / 40));
    for (const length of new Set([...lengths, 1, whole.length - 2, whole.length - 1])) {
      const ran = await gate(passed, { [name]: (text) => text.slice(0, length) });
      expect([length, ran.exit]).toEqual([length, expect.toSatisfy((exit) => exit === 2 || exit === 3)]);
      expect([length, ran.error]).toEqual([length, expect.stringMatching(/^artifacts-(?:damaged|invalid)$/u)]);
    }
  });

  test("[B6] --strict may only make a stored verdict stricter", async () => {
    const strict = await gate(passed, {}, "--strict");
    expect([0, 1]).toContain(strict.exit);
    expect(strict.verdict?.policy.strict).toBe(true);
  });
});
