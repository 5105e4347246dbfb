import { visibleText } from "./visible-text.ts";

/** Everything outside XML 1.0's `Char`, which no reference can bring back: spelled out, so that a document stays well formed. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const references: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A foreign text as the value of an attribute in double quotes, on one line. */
export function escapeXml(text: string): string {
  return (
    visibleText(text)
      .replace(impossible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
      .replace(/[&<>"]/gu, (character) => references[character] ?? "")
      // Printed to a CI log, a line of it must begin no command.
      .replace(/:(?=:)/gu, "&#58;")
      .replace(/##/gu, "&#35;#")
  );
}

/** A foreign text as the content of an element; its lines stay. */
export function escapeXmlLines(text: string): string {
  return text.replace(/\r\n?/gu, "\n").split("\n").map(escapeXml).join("\n");
}
