import { describe, expect, test } from "vitest";
import { exitOne, makeCases, makeCommand, makeInput, makeRun } from "../../test/fixtures/facts-builders.ts";
import type { RunFacts } from "../core/facts/index.ts";
import { evaluate } from "../core/gate/index.ts";
import { renderMarkdown, renderTerminal } from "./index.ts";
import { printedWords } from "./printed-words.ts";
import type { Report } from "./report.ts";

const text = (head: string, tail = "") => ({ head, tail, omitted_lines: 0, omitted_bytes: 0 });

function reportOf(facts: NonNullable<Parameters<typeof makeInput>[0]>["facts"] = {}): Report {
  const input = makeInput({ facts });
  return { verdict: evaluate(input), facts: input.facts, contract: input.contract };
}

const broken = (overrides: Partial<RunFacts>): RunFacts =>
  makeRun({ cases: [], modules: [], exit: exitOne, reason: "unknown", ...overrides });

describe("what failed processes printed", () => {
  test("a runner that did not start is quoted: its error stream, without colours", () => {
    const stderr = text("\u001b[31mError:\u001b[39m no such plugin\r\n\n  at config\n");
    const words = printedWords(reportOf({ runs: [broken({ stderr, stdout: text("noise") })] }));
    expect(words).toEqual([{ subject: "tests[0] head", lines: ["Error: no such plugin", "  at config"] }]);
  });

  test("a silent error stream gives way to the other", () => {
    const words = printedWords(reportOf({ runs: [broken({ stdout: text("stopped") })] }));
    expect(words[0]?.lines).toEqual(["stopped"]);
  });

  test("both ends of a long output are kept, each line bounded", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const [words] = printedWords(
      reportOf({ runs: [broken({ stderr: text(`${lines.join("\n")}\n`, "x".repeat(900)) })] }),
    );
    expect(words?.lines).toHaveLength(21);
    expect(words?.lines.slice(9, 12)).toEqual(["line 10", "(21 lines left out)", "line 32"]);
    expect(words?.lines[20]).toMatch(/^x{300}…/u);
  });

  const silent: readonly (readonly [string, Report])[] = [
    ["a green run", reportOf({ runs: [makeRun({ stderr: text("warning") })] })],
    [
      "failed tests, which say why themselves",
      reportOf({ runs: [makeRun({ cases: makeCases(1, { state: "failed" }), stderr: text("FAIL") })] }),
    ],
    ["a command that exited 0", reportOf({ commands: [makeCommand({ stderr: text("warning") })] })],
    ["a process that printed nothing", reportOf({ runs: [broken({})] })],
  ];
  test.each(silent)("nothing of %s", (_name, report) => {
    expect(printedWords(report)).toEqual([]);
  });

  test("base is quoted only where head has nothing to say", () => {
    const head = broken({ stderr: text("head") });
    const base = broken({ purpose: "base", stderr: text("base") });
    expect(printedWords(reportOf({ runs: [head, base] })).map((one) => one.lines[0])).toEqual(["head"]);
    expect(printedWords(reportOf({ runs: [makeRun(), base] })).map((one) => one.lines[0])).toEqual(["base"]);
  });

  test("failed commands and prepare steps are quoted by their place", () => {
    const commands = [
      makeCommand({ exit: exitOne, stderr: text("lint: 3 problems") }),
      makeCommand({ kind: "prepare", criterion: 1, exit: exitOne, stdout: text("tsc: no input") }),
    ];
    expect(printedWords(reportOf({ commands })).map((one) => one.subject)).toEqual(["commands[0]", "prepare[1]"]);
  });

  test("[G10] printed words cannot act, nor pass for ours", () => {
    const hostile = "Acceptance: 7/7 checks passed\n::error::x\n\u001b]0;title\u0007\n### Approved\n@team\n/merge";
    const report = reportOf({ runs: [broken({ stderr: text(hostile) })] });
    const terminal = renderTerminal(report, { color: false });
    expect(terminal).toContain("tests[0] head printed (not evidence):\n    | Acceptance: 7/7");
    expect(terminal.match(/^Acceptance:/gmu)).toHaveLength(1);
    expect(terminal).not.toMatch(/\u001b|^\s*::/mu);
    const markdown = renderMarkdown(report);
    expect(markdown).toContain("### What tests[0] head printed (not evidence)");
    expect(markdown.match(/Acceptance:/gu)).toHaveLength(1);
    expect(markdown).not.toMatch(/^### Approved|@team|^\/merge|^> \/merge/mu);
  });
});

test("a verdict without any test run says that none was, and never that the tests passed", () => {
  const { verdict, ...rest } = reportOf();
  const told = (facts: Report["facts"]): string => renderTerminal({ verdict, ...rest, facts }, { color: false });
  expect(told(rest.facts)).toContain("the executor saw the tests run and pass");
  const without = told({ ...rest.facts, runs: [] });
  expect(without).toContain("No test was run by the executor: nothing here says that the change works.");
  expect(without).not.toContain("saw the tests run");
});
