/** The words of a command, or why the text is not one. */
export type CommandResult =
  { readonly ok: true; readonly argv: readonly string[] } | { readonly ok: false; readonly reason: string };

const maxChars = 8192;

/** What a shell would act on; a command of a contract runs without one, so each is refused outside quotes. */
const shellSyntax: Readonly<Record<string, string>> = {
  "|": "a pipe",
  "&": "& (background or a chain)",
  ";": "; (a chain)",
  "<": "a redirection",
  ">": "a redirection",
  "(": "a subshell",
  ")": "a subshell",
  $: "$ (an expansion)",
  "`": "a command substitution",
  "*": "the glob *",
  "?": "the glob ?",
  "[": "the glob [",
  "]": "the glob ]",
  "{": "a brace expansion",
  "}": "a brace expansion",
};

interface Scan {
  readonly words: string[];
  /** The word being read, or null between words. */
  word: string | null;
  at: number;
}

/**
 * Splits a command into words as a POSIX shell would (single and double quotes, backslash) and refuses everything that
 * needs a shell: pipes, chains, redirections, expansions, globs, `A=b` in front, comments. Quote a character to mean itself.
 */
export function parseCommand(text: string): CommandResult {
  if (text.length > maxChars) return refuse(`is longer than ${maxChars} characters`);
  if (/[\n\r\u2028\u2029]/u.test(text)) return refuse("holds a line break; one command, one line");
  if (/(?!\t)\p{Cc}/u.test(text) || !text.isWellFormed()) return refuse("holds a control character");
  const scan: Scan = { words: [], word: null, at: 0 };
  while (scan.at < text.length) {
    const fault = readCharacter(text, scan);
    if (fault !== null) return refuse(fault);
  }
  if (scan.word !== null) scan.words.push(scan.word);
  return firstWordFault(text, scan.words);
}

function refuse(reason: string): CommandResult {
  return { ok: false, reason };
}

function firstWordFault(text: string, words: readonly string[]): CommandResult {
  const first = words[0];
  if (first === undefined || first === "") return refuse("names no program");
  if (/^\s*[A-Za-z_]\w*\+?=/u.test(text)) return refuse("begins with a variable assignment; use the key `env`");
  if (first.startsWith("-")) return refuse("begins with a flag, not with a program");
  return first === "!" ? refuse("begins with !, which needs a shell") : { ok: true, argv: words };
}

/** Reads one character or one quoted stretch; returns why it is refused, or null. */
function readCharacter(text: string, scan: Scan): string | null {
  const char = text.charAt(scan.at);
  if (char === "'" || char === '"') return readQuoted(text, scan, char);
  scan.at += 1;
  if (char === " " || char === "\t") {
    if (scan.word !== null) scan.words.push(scan.word);
    scan.word = null;
    return null;
  }
  if (char === "\\") {
    if (scan.at === text.length) return "ends with a backslash";
    scan.word = (scan.word ?? "") + text.charAt(scan.at);
    scan.at += 1;
    return null;
  }
  const syntax = Object.hasOwn(shellSyntax, char) ? shellSyntax[char] : undefined;
  if (syntax !== undefined) return `holds ${syntax}: no shell runs it; put it in single quotes to mean the character`;
  if (scan.word === null && (char === "#" || char === "~"))
    return `has a word that begins with ${char}, which needs a shell`;
  scan.word = (scan.word ?? "") + char;
  return null;
}

function readQuoted(text: string, scan: Scan, quote: string): string | null {
  let word = scan.word ?? "";
  for (let at = scan.at + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote) {
      scan.word = word;
      scan.at = at + 1;
      return null;
    }
    if (quote === '"' && (char === "$" || char === "`"))
      return `holds ${char} in double quotes, which a shell would expand; use single quotes`;
    if (quote === '"' && char === "\\" && '"\\$`'.includes(text.charAt(at + 1) || "x")) at += 1;
    word += text.charAt(at);
  }
  return `has a ${quote === "'" ? "single" : "double"} quote that is not closed`;
}

/** Writes words so that `parseCommand` gives them back; for display and for pasting into a shell. */
export function quoteCommand(argv: readonly string[]): string {
  return argv
    .map((word, index) => (isPlain(word, index === 0) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(" ");
}

/** True for words no shell changes. A first word with `=` would be an assignment. */
function isPlain(word: string, first: boolean): boolean {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/u.test(word) && !(first && word.includes("="));
}
