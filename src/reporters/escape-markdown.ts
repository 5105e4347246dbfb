import { visibleText } from "./visible-text.ts";

/** Renders as nothing and keeps two characters apart. By name: `&#8203;` holds a reference (`#8203`) itself. */
const apart = "&zwnj;";

/**
 * What forges and bots act on, also in the raw text: mentions, references (and so closing keywords), links, bot commands,
 * and our own first line. The match is kept and what follows is kept apart from it.
 */
const acting = /@(?=\S)|[#!%](?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)|bors(?=\s)|Acceptance(?=\s*:)/giu;

/** Makes a foreign text plain words inside a line of Markdown: no markup, HTML, mention, reference, link or command. One line. */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/&/gu, "&amp;")
    .replace(/</gu, "&lt;")
    .replace(/[\\`*[\]|~$]/gu, String.raw`\$&`)
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replace(acting, `$&${apart}`);
}

/** The same for a text that begins a line, where it could begin a block or a slash command. */
export function escapeMarkdownLine(text: string): string {
  const line = escapeMarkdown(text).trimStart();
  return line.replace(/^[-+=#/>]/u, String.raw`\$&`).replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`);
}

/** A foreign text quoted as such: every line of it begins with `> `. */
export function quoteMarkdown(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `> ${escapeMarkdownLine(line)}`.trimEnd());
}

/** A code span that holds the text whatever backticks are in it; `|` is escaped for tables. */
export function codeSpan(text: string): string {
  const content = visibleText(text).replace(/\|/gu, String.raw`\|`);
  if (content.trim() === "") return "(empty)";
  const longest = Math.max(0, ...(content.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = content.startsWith("`") || content.endsWith("`") || /^ .* $/u.test(content) ? " " : "";
  return `${fence}${pad}${content}${pad}${fence}`;
}
