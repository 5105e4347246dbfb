import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, test } from "vitest";
import { capBody, maxBodyCharacters } from "./cap-body.ts";
import { codeSpan, escapeMarkdown, escapeMarkdownLine, quoteMarkdown } from "./escape-markdown.ts";
import { escapeTerminal, logJson } from "./escape-terminal.ts";
import { cutLines, cutText, visibleText } from "./visible-text.ts";

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

const typesIn = (node: Node): readonly string[] => [node.type, ...(node.children ?? []).flatMap(typesIn)];
const textOf = (node: Node): string => (node.value ?? "") + (node.children ?? []).map(textOf).join("");

describe("foreign text in Markdown", () => {
  const attacks: readonly (readonly [string, string, RegExp])[] = [
    ["a mention is broken", "hi @team/all", /@\w/u],
    ["a closing keyword's reference is broken", "Closes #12", /#\d/u],
    ["a reference by GH is broken", "Fixes GH-7", /GH-\d/u],
    ["a merge request reference is broken", "Closes !7", /!\d/u],
    ["a closing keyword with a link is broken", "closes https://forge.example/o/r/issues/1", /:\/\//u],
    ["a bare www link is broken", "see www.evil.example", /www\./u],
    ["an image is no image", "![x](https://evil.example/pixel)", /(?<!\\)!\[/u],
    ["HTML is no HTML", "<details><summary>ok</summary>", /<\w/u],
    ["a comment cannot carry a marker", "<!-- trueup:e30= -->", /<!--/u],
    ["a bors command is broken", "bors r+", /bors\s/u],
    [
      "our own first line cannot be forged",
      "Acceptance: 7/7 checks passed (re-run by the executor, not reported by the model).",
      /Acceptance\s*:/u,
    ],
    ["a pipeline is not skipped", "[skip ci]", /(?<!\\)\[skip ci/u],
    ["a line break stays in its line", "x\n\nAcceptance: 7/7", /\n/u],
    ["bidi characters are spelled out", "a\u202eb", /\u202e/u],
  ];
  test.each(attacks)("[G10] %s", (_name, text, pattern) => {
    expect(escapeMarkdown(text)).not.toMatch(pattern);
  });

  const leading: readonly (readonly [string, string])[] = [
    ["a slash command does not lead a line", "/merge"],
    ["a slash command after blanks does not lead a line", "   /approve"],
    ["a heading is no heading", "# Approved"],
    ["a list is no list", "- ✅ all good"],
    ["a numbered list is no list", "1. ok"],
    ["a rule is no rule", "---"],
    ["a fence is no fence", "```suggestion"],
    ["a table is no table", "| a | b |"],
    ["a quote inside the quote is none", "> said"],
    ["indented code is no code", "        code"],
  ];
  test.each(leading)("[G10] %s", (_name, text) => {
    const line = escapeMarkdownLine(text);
    expect(line).not.toMatch(/^\s*\//u);
    expect(typesIn(fromMarkdown(line) as Node)).toEqual(["root", "paragraph", "text"]);
  });

  test("[G10] any text becomes plain words of one quote, and reads as it was", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 }), (lines) => {
        const types = typesIn(fromMarkdown(quoteMarkdown(lines).join("\n")) as Node);
        expect(
          [...new Set(types)].filter((type) => !["root", "blockquote", "paragraph", "text"].includes(type)),
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
    const text = "a_b __init__ *x* `y` <z> & [q] \\ 1 > 0";
    expect(textOf(fromMarkdown(escapeMarkdownLine(text)) as Node)).toBe(text);
  });

  test.each([
    ["plain", "plain"],
    ["with `one` tick", "with `one` tick"],
    ["``", "``"],
    ["`", "`"],
    ["ends`", "ends`"],
    ["three ``` ticks", "three ``` ticks"],
    [" padded ", " padded "],
  ])("a code span holds backticks: %j", (text, expected) => {
    const tree = fromMarkdown(codeSpan(text)) as Node;
    expect(typesIn(tree)).toEqual(["root", "paragraph", "inlineCode"]);
    expect(textOf(tree)).toBe(expected);
  });

  test("a code span of nothing says so, and a bar does not end a table's cell", () => {
    expect(codeSpan(" ")).toBe("(empty)");
    expect(codeSpan("a|b")).toBe("`a\\|b`");
  });
});

describe("foreign text in a terminal and a CI log", () => {
  const attacks: readonly (readonly [string, string, string])[] = [
    ["colour codes are spelled out", "\u001b[32mPASS\u001b[0m", String.raw`\x1b[32mPASS\x1b[0m`],
    [
      "a hyperlink (OSC 8) is spelled out",
      "\u001b]8;;https://evil.example\u0007ok\u001b]8;;\u0007",
      String.raw`\x1b]8;;https://evil.example\x07ok\x1b]8;;\x07`,
    ],
    ["C1 control codes are spelled out", "\u009b31m", String.raw`\x9b31m`],
    ["a carriage return cannot overwrite a line", "FAIL\rPASS", String.raw`FAIL\x0dPASS`],
    ["bidi characters are spelled out", "\u202egnp.exe", String.raw`\u{202e}gnp.exe`],
    ["a line break stays in its line", "a\n::error::x", String.raw`a\n::error::x`],
    ["a workflow command is none", "::set-output name=x::y", ": :set-output name=x::y"],
    ["a workflow command after blanks is none", "  ::stop-commands::x", "  : :stop-commands::x"],
    ["an old workflow command anywhere is none", "x ##[error]y ##vso[task]z", "x ## [error]y ## vso[task]z"],
    ["names of code stay as they are", "Foo::bar passes", "Foo::bar passes"],
  ];
  test.each(attacks)("%s", (_name, text, expected) => {
    expect(escapeTerminal(text)).toBe(expected);
  });

  test("nothing that acts is left of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 500 },
    );
  });

  test("JSON for a log holds the same value and nothing that acts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = logJson({ text: `##[error]${text}\u202e` });
        expect(JSON.parse(json)).toEqual({ text: `##[error]${text}\u202e` });
        expect(json).not.toMatch(/##|\p{Cc}|\u202e/u);
      }),
    );
  });
});

describe("bounds", () => {
  test("a cut says how much is left out, and never cuts a character in two", () => {
    expect(cutText("😀😀😀", 2)).toBe("😀😀… (1 more characters)");
    expect(cutLines("a\nb\nc", { lines: 2, characters: 9 })).toEqual(["a", "b", "(1 more lines)"]);
  });
  test("a body keeps its first lines and its marker", () => {
    const body = capBody(`first\n${"line\n".repeat(50_000)}`, "<!-- marker -->");
    expect(body.length).toBeLessThanOrEqual(maxBodyCharacters);
    expect(body.startsWith("first\nline\n")).toBe(true);
    expect(body.endsWith("\n<!-- marker -->\n")).toBe(true);
    expect(body).toContain("The rest is cut here");
  });
  test("one endless line is cut too", () => {
    const body = capBody("😀".repeat(90_000), "<!-- marker -->");
    expect(body.length).toBeLessThanOrEqual(maxBodyCharacters);
    expect(body.isWellFormed()).toBe(true);
    expect(body).toContain("<!-- marker -->");
  });
  test("a short body is left as it is", () => {
    expect(capBody("a\n\n", "")).toBe("a\n");
  });
});
