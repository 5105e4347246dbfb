import { visibleText } from "./visible-text.ts";

/** Makes a foreign text one harmless line of a terminal or a CI log: no control codes, no workflow commands. */
export function escapeTerminal(text: string): string {
  return visibleText(text)
    .replace(/^(\s*):(?=:)/u, "$1: ")
    .replace(/##(?=[\w.]*\[)/gu, "## ");
}

/** JSON for a file, in lines; also where it is printed to a log, none of them is a workflow command. Ends with a line break. */
export function jsonReport(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/##/gu, String.raw`\u0023#`)}\n`;
}

/** JSON on one line that is harmless in a log too; it parses to the same value. */
export function logJson(value: unknown): string {
  const unsafe = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;
  return JSON.stringify(value)
    .replace(unsafe, (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
    )
    .replace(/##/gu, String.raw`\u0023#`);
}
