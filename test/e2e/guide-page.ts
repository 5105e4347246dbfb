import { fromMarkdown } from "mdast-util-from-markdown";

/** One command of the page, and the lines that it says were printed. */
export interface GuideCommand {
  readonly line: string;
  readonly printed: readonly string[];
}

/** A file that the page shows, or commands that it types. */
export type GuideStep =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "commands"; readonly commands: readonly GuideCommand[] };

function commandsOf(text: string): readonly GuideCommand[] {
  const commands: { line: string; printed: string[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("$ ")) commands.push({ line: line.slice(2), printed: [] });
    else if (commands.length === 0) throw new Error(`output before any command: ${line}`);
    else commands.at(-1)?.printed.push(line);
  }
  return commands;
}

/** The page's code blocks in order: those that name a `file=`, and those of `console`. Others are for reading only. */
export function parseGuide(markdown: string): readonly GuideStep[] {
  return fromMarkdown(markdown).children.flatMap((node): GuideStep[] => {
    if (node.type !== "code") return [];
    const [, path] = /(?:^|\s)file=(\S+)/u.exec(node.meta ?? "") ?? [];
    if (path !== undefined) return [{ kind: "file", path, text: `${node.value}\n` }];
    return node.lang === "console" ? [{ kind: "commands", commands: commandsOf(node.value) }] : [];
  });
}

/** What differs from run to run and from machine to machine. */
const changing: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/gu, "<id>"],
  [/\b\d{4}-\d\d-\d\dT[0-9:.]+Z/gu, "<when>"],
  [/\b[0-9a-f]{7,64}\b/gu, "<hex>"],
  [/\b\d+(?:\.\d+)? ?m?s\b/gu, "<time>"],
  [/\b\d{1,2}\.\d{1,3}\.\d{1,3}\b/gu, "<version>"],
  // Colours are for a terminal.
  [/\u001b\[[0-9;]*m/gu, ""],
];

/** A printed line without what changes. */
export function steady(line: string): string {
  return changing.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line).trimEnd();
}

/** Whether the printed lines are those of the page, where a line `…` stands for any number of lines. */
export function agrees(page: readonly string[], printed: readonly string[]): boolean {
  const [first, ...rest] = page;
  if (first === undefined) return printed.length === 0;
  if (first.trim() === "…") {
    for (let skipped = 0; skipped <= printed.length; skipped += 1)
      if (agrees(rest, printed.slice(skipped))) return true;
    return false;
  }
  const [line, ...others] = printed;
  return line !== undefined && steady(first) === steady(line) && agrees(rest, others);
}
