import { readFileSync, readlinkSync } from "node:fs";
import { TrueupError } from "../../errors.ts";

/** What Node puts where bytes of a word are no UTF-8. */
const replaced = "\ufffd";

/** The exact bytes of the last `count` words of our own command line. Node has lost those that are not UTF-8; the system has not. */
export function readExactWords(words: readonly string[], count: number): readonly Uint8Array[] {
  const own = words.slice(words.length - count);
  if (!own.some((word) => word.includes(replaced))) return own.map((word) => Buffer.from(word, "utf8"));
  const raw = splitAtNul(readCommandLine());
  const exact = raw.slice(raw.length - count);
  if (exact.length !== count || exact.some((word, index) => word.toString("utf8") !== own[index])) throw unknownWords();
  return exact;
}

/** The real path of the current directory, in bytes. Throws `usage` when it is gone. */
export function readDirectory(): Uint8Array {
  try {
    return process.platform === "linux" ? readlinkSync("/proc/self/cwd", "buffer") : Buffer.from(process.cwd());
  } catch (cause) {
    throw new TrueupError("usage", { detail: "the current directory cannot be read", hint: "Change to one.", cause });
  }
}

function readCommandLine(): Buffer {
  try {
    return readFileSync("/proc/self/cmdline");
  } catch (cause) {
    throw Object.assign(unknownWords(), { cause });
  }
}

function unknownWords(): TrueupError {
  return new TrueupError("usage", {
    detail: "the exact bytes of an argument that is not UTF-8 cannot be had here",
    hint: "Put the command into a script, and run that.",
  });
}

function splitAtNul(bytes: Buffer): readonly Buffer[] {
  const words: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0, from);
    words.push(bytes.subarray(from, end < 0 ? bytes.length : end));
    from = end < 0 ? bytes.length : end + 1;
  }
  return words;
}
