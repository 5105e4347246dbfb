import { createAnchorSearch, type Anchor, type AnchorSearch } from "./anchor-search.ts";
import { secretPatterns, type SecretPattern } from "./secret-patterns.ts";

/** What is replaced: kinds of secrets, and texts that are secret wherever they stand. */
export interface RedactionData {
  readonly patterns: readonly SecretPattern[];
  /** Each three bytes or longer; longest first, so that a secret within a secret does not hide its rest. */
  readonly literals: readonly string[];
}

/** What a pattern needs when one of its anchors was seen. */
export interface ReadyPattern {
  /** Sticky; group 1 stays readable, group 2 is the secret's beginning. */
  readonly expression: RegExp;
  /** 1 for each byte that goes on with the secret; null when the match is all of it. */
  readonly rest: Uint8Array | null;
  readonly opensKeyBlock: boolean;
}

/** A literal that is secret by itself, or a kind of secret. Kinds are made ready when they are first needed. */
export type Matcher =
  { readonly literalBytes: number } | { readonly literalBytes: null; readonly ready: () => ReadyPattern };

/** Rules made ready once and used for many streams. */
export interface RedactionRules {
  readonly search: AnchorSearch<Matcher>;
  /** The most bytes that a decision at one place may look at. */
  readonly window: number;
}

const smallestWindow = 4096;

/** The table of bytes of a class, given as the inside of its brackets. */
function classTable(inside: string): Uint8Array | null {
  if (inside === "") return null;
  const expression = new RegExp(`[${inside}]`, "u");
  return Uint8Array.from({ length: 256 }, (_, byte) => (expression.test(String.fromCharCode(byte)) ? 1 : 0));
}

function makeReady({ kept, secret, rest, opens }: SecretPattern): ReadyPattern {
  // A key's beginning is seen even when its body does not follow at once: a log may put a prefix on each line.
  const expression = new RegExp(`(${kept})(${secret})${opens === undefined ? "" : "?"}`, "y");
  return { expression, rest: classTable(rest), opensKeyBlock: opens === "key-block" };
}

function patternMatcher(pattern: SecretPattern): Matcher {
  let made: ReadyPattern | null = null;
  return { literalBytes: null, ready: () => (made ??= makeReady(pattern)) };
}

function patternAnchors(pattern: SecretPattern): readonly Anchor<Matcher>[] {
  const value = patternMatcher(pattern);
  return pattern.anchors.map((anchor) => ({ bytes: Buffer.from(anchor, "latin1"), caseless: pattern.caseless, value }));
}

function literalAnchor(text: string): Anchor<Matcher> {
  const bytes = Buffer.from(text, "utf8");
  return { bytes, caseless: false, value: { literalBytes: bytes.length } };
}

/** Makes rules ready. Empty data gives rules that replace nothing. */
export function createRedactionRules({ patterns, literals }: RedactionData): RedactionRules {
  const anchors = [...literals.map(literalAnchor), ...patterns.flatMap(patternAnchors)];
  const longest = Math.max(0, ...literals.map((text) => Buffer.byteLength(text, "utf8")));
  return { search: createAnchorSearch(anchors), window: Math.max(smallestWindow, longest + 1) };
}

/** The rules that every record is written under: all known kinds, and the given secret values (`secretValues`). */
export function standardRedactionRules(literals: readonly string[]): RedactionRules {
  return createRedactionRules({ patterns: secretPatterns, literals });
}
