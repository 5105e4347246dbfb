import type { Code, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import type { Issue } from "./issue.ts";

/** The one fenced block of a Markdown text that holds a contract. */
export interface AcceptanceFence {
  /** What stands between the fences, container marks (`> `) removed. */
  readonly text: string;
  /** Offsets of the whole block in the source, fences included; UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** No block at all is its own case: a task may be allowed to have none. */
export type FenceResult =
  | { readonly ok: true; readonly fence: AcceptanceFence | null }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const maxChars = 131_072;
const maxUnderlines = 1000;

/** Inline syntax cannot hold a fence and makes parsing slow on hostile text. What an info string may use stays on. */
const inlineSyntax = [
  "attention",
  "autolink",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

/**
 * Finds the `acceptance` block by CommonMark's rules: an example inside a longer fence, an HTML comment or indented code
 * is none; one inside a quote or a list item is. A block that nearly has the name is an error, never "no contract".
 */
export function findAcceptanceFence(markdown: string): FenceResult {
  const fault = sizeFault(markdown);
  if (fault !== null) return failure(fault);
  const { blocks, fences } = readCodeBlocks(markdown);
  const [first, second] = blocks;
  if (first === undefined) return { ok: true, fence: null };
  if (second !== undefined)
    return failure(`there are ${blocks.length} acceptance blocks; write exactly one (${lines(blocks)})`);
  if (first.lang !== "acceptance" || (first.meta ?? "") !== "") {
    return failure(`the info string of the block must be exactly \`acceptance\` (${lines(blocks)})`);
  }
  if (fences.get(first) !== 2) return failure(`the acceptance block is not closed (${lines(blocks)})`);
  const start = first.position?.start.offset;
  const end = first.position?.end.offset;
  if (start === undefined || end === undefined) return failure("the place of the acceptance block is not known");
  return { ok: true, fence: { text: first.value, start, end } };
}

/** Bounds what the parser takes time more than linear for. */
function sizeFault(markdown: string): string | null {
  if (markdown.length > maxChars) return "stands in a text larger than 128 KiB";
  if (/^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){64}/mu.test(markdown))
    return "stands in a text nested more than 64 levels deep";
  const underlines = markdown.match(/^[ \t>]*(?:=+|-+)[ \t]*$/gmu)?.length ?? 0;
  return underlines > maxUnderlines ? `stands in a text with more than ${maxUnderlines} underlined headings` : null;
}

function failure(reason: string): FenceResult {
  return { ok: false, issues: [{ key: "contract", reason }] };
}

function lines(blocks: readonly Code[]): string {
  return blocks.map((block) => `line ${block.position?.start.line ?? "?"}`).join(", ");
}

/** All blocks with a name like ours, and how many fence lines each has: an unclosed one has a single one. */
function readCodeBlocks(markdown: string): { blocks: Code[]; fences: Map<Nodes, number> } {
  const fences = new Map<Nodes, number>();
  const tree = fromMarkdown(markdown, {
    extensions: [{ disable: { null: inlineSyntax } }],
    mdastExtensions: [
      {
        enter: {
          codeFencedFence() {
            const owner = this.stack.findLast((node) => node.type === "code");
            if (owner !== undefined) fences.set(owner as Nodes, (fences.get(owner as Nodes) ?? 0) + 1);
          },
        },
      },
    ],
  });
  return { blocks: codeNodes(tree).filter(isNamedAcceptance), fences };
}

function codeNodes(root: Nodes): Code[] {
  const found: Code[] = [];
  const waiting: Nodes[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "code") found.push(node);
    for (const child of "children" in node ? node.children.toReversed() : []) waiting.push(child);
  }
  return found;
}

function isNamedAcceptance(node: Code): boolean {
  const info = `${node.lang ?? ""} ${node.meta ?? ""}`.toLowerCase();
  return /(?:^|[\s{.:])acceptance(?:$|[\s}:])/u.test(info);
}
