/** C0, C1, bidi and other format characters, lone surrogates, line separators; joiners of emoji and scripts stay. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}[\p{Cf}--[\u200c\u200d]]]/gv;

/** One line in which every character that would act and not show is spelled out: `\n`, `\x1b`, `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === "\n") return String.raw`\n`;
    if (character === "\t") return " ";
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

/** Cuts a line to a number of characters; what is left out is counted. */
export function cutText(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max
    ? text
    : `${characters.slice(0, max).join("")}… (${characters.length - max} more characters)`;
}

/** The lines of a foreign text, at most `lines` of at most `characters` each; what is left out is said in a last line. */
export function cutLines(
  text: string,
  max: { readonly lines: number; readonly characters: number },
): readonly string[] {
  const all = text.replace(/\r\n?/gu, "\n").trimEnd().split("\n");
  const shown = all.slice(0, max.lines).map((line) => cutText(line, max.characters));
  return all.length > max.lines ? [...shown, `(${all.length - max.lines} more lines)`] : shown;
}
