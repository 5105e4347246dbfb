import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommand, quoteCommand } from "./command-words.ts";

const split: readonly [text: string, argv: readonly string[]][] = [
  ["npx vitest run", ["npx", "vitest", "run"]],
  ["  a \t b  ", ["a", "b"]],
  [`a 'b c' "d e"`, ["a", "b c", "d e"]],
  [`a b'c'"d"e`, ["a", "bcde"]],
  ["a ''", ["a", ""]],
  ["a b\\ c \\|", ["a", "b c", "|"]],
  ['a "\\"\\\\\\n"', ["a", '"\\\\n']],
  ["a '$x' '`' '*' '[id]'", ["a", "$x", "`", "*", "[id]"]],
  ["a b=c --d=e", ["a", "b=c", "--d=e"]],
  ["a x#y a~", ["a", "x#y", "a~"]],
];

const refused: readonly [name: string, text: string, words: string][] = [
  ["nothing", "  ", "no program"],
  ["an empty program", "'' a", "no program"],
  ["a pipe", "a | b", "a pipe"],
  ["a chain by &&", "a && b", "&"],
  ["the background", "a &", "&"],
  ["a chain by ;", "a;b", ";"],
  ["input from a file", "a < b", "redirection"],
  ["output to a file", "a 2>b", "redirection"],
  ["a subshell", "(a)", "subshell"],
  ["a variable", "a $HOME", "expansion"],
  ["a variable in double quotes", 'a "$HOME"', "double quotes"],
  ["a substitution", "a `b`", "substitution"],
  ["a substitution in double quotes", 'a "`b`"', "double quotes"],
  ["a second line", "a\nb", "line break"],
  ["a second line in quotes", "a 'b\nc'", "line break"],
  ["a carriage return", "a\rb", "line break"],
  ["NUL", "a\0", "control"],
  ["a star", "a *.ts", "glob *"],
  ["a question mark", "a x?.ts", "glob ?"],
  ["brackets", "a [id]", "glob ["],
  ["braces", "a {b,c}", "brace"],
  ["a home directory", "a ~/x", "~"],
  ["a comment", "a # b", "#"],
  ["a variable in front", "A=b a", "assignment"],
  ["a quoted variable in front", "A='b c' a", "assignment"],
  ["an open single quote", "a 'b", "single quote"],
  ["an open double quote", 'a "b', "double quote"],
  ["a backslash at the end", "a \\", "backslash"],
  ["a flag as program", "--help", "flag"],
  ["negation", "! a", "!"],
];

describe("parseCommand", () => {
  it.each(split)("[D7] splits %s as a shell would", (text, argv) => {
    expect(parseCommand(text)).toEqual({ ok: true, argv });
  });

  it.each(refused)("[D7] refuses %s", (_name, text, words) => {
    const result = parseCommand(text);
    expect(result.ok ? "accepted" : result.reason).toContain(words);
  });

  it("gives back the words that were quoted", () => {
    const word = fc
      .string({ unit: "grapheme" })
      .filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed());
    const first = word.filter((text) => text !== "" && text !== "!" && !text.startsWith("-"));
    fc.assert(
      fc.property(first, fc.array(word), (program, words) => {
        expect(parseCommand(quoteCommand([program, ...words]))).toEqual({ ok: true, argv: [program, ...words] });
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseCommand(text)));
  });
});
