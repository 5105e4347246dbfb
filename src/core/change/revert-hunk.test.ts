import { Buffer } from "node:buffer";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePatch, type Hunk } from "./decode-patch.ts";
import { revertHunk } from "./revert-hunk.ts";

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** git's own hunks from one text to another. */
function hunksOf(old: string, now: string): readonly Hunk[] {
  const directory = mkdtempSync(path.join(tmpdir(), "trueup-hunks-"));
  try {
    writeFileSync(path.join(directory, "old"), old);
    writeFileSync(path.join(directory, "new"), now);
    const args = ["diff", "--no-index", "--text", "--full-index", "--no-color", "old", "new"];
    const { stdout } = spawnSync("git", args, { cwd: directory });
    const decoded = decodePatch(stdout);
    return decoded.ok ? decoded.value.flatMap((section) => section.hunks) : [];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test("undoing every hunk, last first, gives the old file back", () => {
  expect(execFileSync("git", ["--version"], { encoding: "utf8" })).toContain("git version");
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 40 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      let file: Uint8Array = Buffer.from(text(now));
      for (const hunk of hunksOf(text(old), text(now)).toReversed()) {
        const reverted = revertHunk(file, hunk);
        expect(reverted).not.toBeNull();
        file = reverted ?? file;
      }
      expect(Buffer.from(file).toString()).toBe(text(old));
    }),
    { numRuns: 40 },
  );
});

test("a hunk that does not lie there, or a file without its last line feed, is not undone", () => {
  const [hunk] = hunksOf("a\nb\n", "a\nc\n");
  expect(revertHunk(Buffer.from("x\ny\n"), hunk as Hunk)).toBeNull();
  const [open] = hunksOf("a\nb", "a\nc");
  expect(revertHunk(Buffer.from("a\nc"), open as Hunk)).toBeNull();
});
