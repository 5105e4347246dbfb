import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agrees, parseGuide, steady, type GuideCommand } from "./guide-page.ts";

const house = path.dirname(path.dirname(import.meta.dirname));
const page = readFileSync(path.join(house, "docs", "guide", "README.md"), "utf8");

describe("what a printed line is compared by", () => {
  test.each([
    ["the same lines", ["a", "b"], ["a", "b"], true],
    ["another word", ["a", "b"], ["a", "c"], false],
    ["a line more than the page has", ["a"], ["a", "b"], false],
    ["a line less", ["a", "b"], ["a"], false],
    ["nothing where the page has a line", ["a"], [], false],
    ["a line where the page has none", [], ["a"], false],
    ["another number of tests", ["3 passed"], ["2 passed"], false],
    ["another time", ["ran 1.2 s"], ["ran 13 ms"], true],
    ["another commit", ["at 0bbc55871a73"], ["at f0060d6c191f"], true],
    ["left out, some", ["a", "…", "d"], ["a", "b", "c", "d"], true],
    ["left out, none", ["a", "…"], ["a"], true],
    ["left out, and the end is another", ["…", "d"], ["a", "e"], false],
  ])("%s", (_what, wanted, printed, expected) => {
    expect(agrees(wanted, printed)).toBe(expected);
  });
});

describe("the first hour, as docs/guide tells it", () => {
  const root = mkdtempSync(path.join(tmpdir(), "trueup-guide-"));
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  const home = path.join(root, "home");
  const programs = path.join(root, "programs");
  const at = path.join(root, "cwd");
  mkdirSync(home);
  mkdirSync(programs);
  writeFileSync(at, home);
  const start = `#!/bin/sh\nexec "${process.execPath}" "${path.join(house, "bin", "trueup.js")}" "$@"\n`;
  writeFileSync(path.join(programs, "trueup"), start, { mode: 0o755 });
  writeFileSync(path.join(home, ".gitconfig"), "[user]\n\tname = Ana\n\temail = ana@example.com\n");
  // What this test runs under is none of the reader's.
  const ours = /^(?:GIT_|TRUEUP_|XDG_|VITEST|NODE_ENV$|CI$|TEST$|TMPDIR$)/u;
  const machine = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
  const env = { ...machine, HOME: home, PATH: `${programs}:${process.env["PATH"] ?? ""}` };

  /** One command in a shell of its own, in the directory where the one before ended. */
  function type({ line }: GuideCommand): readonly string[] {
    const script = `{ ${line}\n} 2>&1; pwd >"$0"`;
    const { stdout } = spawnSync("bash", ["-c", script, at], {
      cwd: readFileSync(at, "utf8").trim(),
      env,
      encoding: "utf8",
    });
    return stdout
      .replaceAll(home, "/home/ana")
      .replace(/\n$/u, "")
      .split("\n")
      .filter((text, index, all) => all.length > 1 || text !== "");
  }

  test("every command that it types prints what it says", () => {
    const steps = parseGuide(page);
    expect(steps.filter(({ kind }) => kind === "commands").length).toBeGreaterThan(10);
    for (const step of steps) {
      if (step.kind === "file") {
        mkdirSync(path.dirname(path.join(home, step.path)), { recursive: true });
        writeFileSync(path.join(home, step.path), step.text);
        continue;
      }
      for (const command of step.commands) {
        const printed = type(command);
        // Where they do not agree, both are shown side by side.
        if (!agrees(command.printed, printed))
          expect(printed.map(steady), command.line).toEqual(command.printed.map(steady));
      }
    }
  });
});
