/** One step of a compiled pattern: what it eats. `deep` crosses `/`, `dirs` is `**` + `/` (nothing, or up to a `/`). */
type Token =
  | { readonly kind: "byte"; readonly code: number }
  | { readonly kind: "any" | "star" | "deep" | "dirs" }
  | { readonly kind: "class"; readonly negated: boolean; readonly codes: ReadonlySet<number> };

/** A pattern of `.gitignore`, compiled; null when it can match nothing. */
export type Wildmatch = readonly Token[];

const slash = 0x2f;
const between = (low: number, high: number): readonly number[] =>
  Array.from({ length: high - low + 1 }, (_, index) => low + index);
const digit = between(0x30, 0x39);
const upper = between(0x41, 0x5a);
const lower = between(0x61, 0x7a);
const graph = between(0x21, 0x7e);
const alnum = [...digit, ...upper, ...lower];
const posix: ReadonlyMap<string, readonly number[]> = new Map([
  ["alnum", alnum],
  ["alpha", [...upper, ...lower]],
  ["blank", [0x20, 0x09]],
  ["cntrl", [...between(0, 0x1f), 0x7f]],
  ["digit", digit],
  ["graph", graph],
  ["lower", lower],
  ["print", [0x20, ...graph]],
  ["punct", graph.filter((code) => !alnum.includes(code))],
  ["space", [0x20, ...between(0x09, 0x0d)]],
  ["upper", upper],
  ["xdigit", [...digit, ...between(0x41, 0x46), ...between(0x61, 0x66)]],
]);

/**
 * Compiles a glob by git's rules, one character a byte. `literal` says how many first bytes git compares as they are:
 * a `**` right behind them counts as standing at the start.
 */
export function compileWildmatch(pattern: string, literal = 0): Wildmatch | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const step = at < literal ? { token: byteToken(pattern, at), next: at + 1 } : compileStep(pattern, at, literal);
    if (step === null) return null;
    tokens.push(step.token);
    at = step.next;
  }
  return tokens;
}

/** Matches in time proportional to text times pattern: no hostile pattern makes it slow. */
export function matchWildmatch(tokens: Wildmatch, text: string): boolean {
  let states = closure(tokens, new Uint8Array(tokens.length + 1), 0);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const next = new Uint8Array(tokens.length + 1);
    let alive = false;
    for (let state = 0; state < tokens.length; state++) {
      if (states[state] === 0) continue;
      alive = advance(tokens, { state, code, next }) || alive;
    }
    if (!alive) return false;
    states = next;
  }
  return states[tokens.length] === 1;
}

function advance(tokens: Wildmatch, at: { state: number; code: number; next: Uint8Array }): boolean {
  const { state, code, next } = at;
  const token = tokens[state];
  if (token === undefined) return false;
  if (token.kind === "dirs") {
    // Inside a run of directories until a slash ends it. The run itself is remembered by staying here, marked 2.
    next[state] = Math.max(next[state] ?? 0, 2);
    if (code === slash) closure(tokens, next, state + 1);
    return true;
  }
  if (token.kind === "deep" || (token.kind === "star" && code !== slash)) {
    closure(tokens, next, state);
    return true;
  }
  if (!eats(token, code)) return false;
  closure(tokens, next, state + 1);
  return true;
}

function eats(token: Token, code: number): boolean {
  if (token.kind === "byte") return token.code === code;
  if (token.kind === "any") return code !== slash;
  return token.kind === "class" && code !== slash && token.codes.has(code) !== token.negated;
}

/** Marks a state and every state reachable without eating a byte. */
function closure(tokens: Wildmatch, states: Uint8Array, from: number): Uint8Array {
  for (let state = from; state <= tokens.length; state++) {
    if (states[state] !== 2) states[state] = 1;
    const kind = tokens[state]?.kind;
    if (kind !== "star" && kind !== "deep" && kind !== "dirs") break;
  }
  return states;
}

function byteToken(pattern: string, at: number): Token {
  return { kind: "byte", code: pattern.charCodeAt(at) };
}

function compileStep(pattern: string, at: number, start: number): { token: Token; next: number } | null {
  const char = pattern[at];
  if (char === "?") return { token: { kind: "any" }, next: at + 1 };
  if (char === "[") return compileClass(pattern, at);
  if (char === "*") return compileStar(pattern, at, start);
  if (char !== "\\") return { token: byteToken(pattern, at), next: at + 1 };
  return at + 1 < pattern.length ? { token: byteToken(pattern, at + 1), next: at + 2 } : null;
}

function compileStar(pattern: string, at: number, start: number): { token: Token; next: number } {
  let end = at;
  while (pattern[end] === "*") end += 1;
  const open = at === start || pattern[at - 1] === "/";
  if (end - at < 2 || !open) return { token: { kind: "star" }, next: end };
  if (end === pattern.length) return { token: { kind: "deep" }, next: end };
  if (pattern[end] === "/") return { token: { kind: "dirs" }, next: end + 1 };
  return { token: { kind: "star" }, next: end };
}

function compileClass(pattern: string, at: number): { token: Token; next: number } | null {
  let next = at + 1;
  const negated = pattern[next] === "!" || pattern[next] === "^";
  if (negated) next += 1;
  const codes = new Set<number>();
  let previous: number | null = null;
  for (let first = true; first || pattern[next] !== "]"; first = false) {
    const item = classItem(pattern, next, previous);
    if (item === null) return null;
    for (const code of item.codes) codes.add(code);
    previous = item.previous;
    next = item.next;
  }
  return { token: { kind: "class", negated, codes }, next: next + 1 };
}

interface ClassItem {
  readonly codes: readonly number[];
  /** What a following `-` would start its range from; null after a range or a named class. */
  readonly previous: number | null;
  readonly next: number;
}

function classItem(pattern: string, at: number, previous: number | null): ClassItem | null {
  const char = pattern[at];
  if (char === undefined) return null;
  if (char === "-" && previous !== null && pattern[at + 1] !== undefined && pattern[at + 1] !== "]")
    return rangeItem(pattern, at, previous);
  if (char === "[" && pattern[at + 1] === ":") return namedItem(pattern, at);
  const from = char === "\\" ? at + 1 : at;
  if (from >= pattern.length) return null;
  const code = pattern.charCodeAt(from);
  return { codes: [code], previous: code, next: from + 1 };
}

function rangeItem(pattern: string, at: number, low: number): ClassItem | null {
  const end = pattern[at + 1] === "\\" ? at + 2 : at + 1;
  if (end >= pattern.length) return null;
  const high = pattern.charCodeAt(end);
  return {
    codes: high < low ? [] : between(low, high),
    previous: null,
    next: end + 1,
  };
}

function namedItem(pattern: string, at: number): ClassItem | null {
  const close = pattern.indexOf("]", at + 2);
  if (close < 0) return null;
  // Without `:]` this was a plain bracket, as git reads it.
  if (pattern[close - 1] !== ":" || close - 1 < at + 2) return { codes: [0x5b], previous: 0x5b, next: at + 1 };
  const codes = posix.get(pattern.slice(at + 2, close - 1));
  return codes === undefined ? null : { codes, previous: null, next: close + 1 };
}
