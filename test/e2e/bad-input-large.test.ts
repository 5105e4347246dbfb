import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, openStage, runProcess, type Ended, type Stage } from "../integration/bad-input-stage.ts";

const mebibyte = 2 ** 20;
/** Says at the end how much memory the process held at most, in KiB. */
const reportMemory = `--import=data:text/javascript,${encodeURIComponent(
  `process.on("exit", () => process.stderr.write("RSS " + process.resourceUsage().maxRSS + "\\n"))`,
)}`;

let stage: Stage;
beforeAll(() => {
  stage = openStage();
  stage.write({ "contract.json": '{"max_added_lines":2,"max_changed_files":1}' });
});
afterAll(() => stage[Symbol.dispose]());

/** One check in a process of its own, with the most memory it held, in MiB. */
function check(work: string): Ended & { readonly memory: number } {
  const argv = ["check", "--quiet", "--contract", stage.path("contract.json")];
  const ended = runProcess(argv, { cwd: work, env: { ...stage.env, NODE_OPTIONS: reportMemory } });
  const [, kibibytes = "NaN"] = /^RSS (\d+)$/mu.exec(ended.stderr) ?? [];
  return { ...ended, stderr: ended.stderr.replace(/^RSS .*\n/mu, ""), memory: Number(kibibytes) / 1024 };
}

/** Files of zeros that take no room on the disk. */
function writeZeros(directory: string, sizes: Readonly<Record<string, number>>): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of Object.entries(sizes)) {
    writeFileSync(path.join(directory, name), "");
    truncateSync(path.join(directory, name), bytes);
  }
}

describe("a tree that is very large", () => {
  test("of 50,000 files, one changed: the change is found, in bounded memory", () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `d${index % 500}/f${index}.txt`);
    const base = Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(10)]));
    const work = stage.repository("many", base, { "d0/f0.txt": "changed\n" });
    const { exit, stdout, stderr, memory } = check(work);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/max_added_lines — 1 added \(limit 2\)/u);
    expect(memory).toBeLessThan(768);
  });

  test("of 1 GiB, one small file changed: the large ones are hashed, never held", () => {
    writeZeros(stage.path("large"), { a: 256 * mebibyte, b: 256 * mebibyte, c: 256 * mebibyte, d: 256 * mebibyte });
    const work = stage.repository("large", { "e.txt": "e\n" }, { "e.txt": "e\nz\n" });
    const { exit, stdout, stderr, memory } = check(work);
    expect([exit, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/max_added_lines — 1 added \(limit 2\)/u);
    expect(memory).toBeLessThan(768);
  });

  test("with a new file of more than 1 GiB: it is refused with what to do, not swallowed", () => {
    const work = stage.repository("huge", { "e.txt": "e\n" });
    writeZeros(work, { new: 1025 * mebibyte });
    const ended = check(work);
    expectRefusal(ended, { code: "tree-unreadable", says: /new \(1074790400 bytes are too many/u, hint: /1 GiB/u });
    expect(ended.memory).toBeLessThan(512);
  });
});
