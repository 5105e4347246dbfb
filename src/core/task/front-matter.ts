import { isMap, LineCounter, parseDocument, visit } from "yaml";
import type { Issue } from "../contract/index.ts";

/** The front matter's value and the text after it; `value` is null when there is no front matter. */
export type FrontMatterResult =
  | { readonly ok: true; readonly value: unknown; readonly body: string }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const maxChars = 65_536;

/** Splits a Markdown text at its front matter (`---` on the first line to the next `---`) and reads that as plain YAML. */
export function parseFrontMatter(text: string): FrontMatterResult {
  const plain = text.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
  if (!/^---[ \t]*(?:\n|$)/u.test(plain))
    return failure("there is no front matter: the file must begin with a line ---");
  const match = /^---[ \t]*\n(?<yaml>(?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/u.exec(plain);
  const yaml = match?.groups?.["yaml"];
  if (match === null || yaml === undefined) return failure("the front matter is not closed: no second line ---");
  if (yaml.length > maxChars) return failure("the front matter is larger than 64 KiB");
  return readYaml(yaml, plain.slice(match[0].length));
}

function failure(reason: string): FrontMatterResult {
  return { ok: false, issues: [{ key: "task", reason }] };
}

/** YAML without what could surprise: keys once, no tags, no anchors or aliases, only string keys. */
function readYaml(yaml: string, body: string): FrontMatterResult {
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    schema: "core",
    customTags: [],
    resolveKnownTags: false,
    merge: false,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "silent",
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    // The counter starts after the opening fence line.
    const { line, col } = lines.linePos(problem.pos[0]);
    return failure(`the front matter is not valid YAML: ${problem.message} (line ${line + 1}, column ${col})`);
  }
  const fault = findForbiddenNode(document);
  if (fault !== null) return failure(fault);
  if (!isMap(document.contents)) return failure("the front matter must be keys and values");
  return { ok: true, value: document.toJS({ maxAliasCount: 0 }), body };
}

function findForbiddenNode(document: ReturnType<typeof parseDocument>): string | null {
  let fault: string | null = null;
  visit(document, {
    Alias: () => {
      fault = "the front matter uses an alias (*), which is not allowed";
      return visit.BREAK;
    },
    Node: (_key, node) => {
      if ("anchor" in node && node.anchor !== undefined)
        fault = "the front matter uses an anchor (&), which is not allowed";
      if (node.tag !== undefined && !/^tag:yaml\.org,2002:(?:map|seq|str|int|float|bool|null)$/u.test(node.tag)) {
        fault = "the front matter uses a tag (!), which is not allowed";
      }
      return fault === null ? undefined : visit.BREAK;
    },
  });
  return fault;
}
