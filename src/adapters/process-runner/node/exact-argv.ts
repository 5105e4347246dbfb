import { accessSync, constants, statSync } from "node:fs";
import type { StartFailure } from "../../../ports/index.ts";

/** What to spawn so that the command gets exactly these words. */
export interface Spawnable {
  readonly file: string;
  readonly args: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Words that are UTF-8 are spawned as they are. For others Node has no way in: `sh` is started, gives itself the bytes
 * from octal numbers, and becomes the command by `exec`; it reads no word of the user as a program.
 */
export function planSpawn(argv: readonly Uint8Array[], environment: Environment): Spawnable | StartFailure {
  const [program, ...args] = argv.map(decode);
  if (program === "") return { kind: "not-found", detail: "the program's name is empty" };
  if (program !== undefined && program !== null && args.every((word) => word !== null))
    return { file: program, args: args as string[] };
  const failure = program === undefined ? emptyArgv() : findProgram(Buffer.from(argv[0] ?? []), environment);
  return failure ?? carrier(argv);
}

function emptyArgv(): StartFailure {
  return { kind: "not-found", detail: "there is no command" };
}

/** The word as text, or null when its bytes are not what UTF-8 would write again. */
function decode(word: Uint8Array): string | null {
  const bytes = Buffer.from(word.buffer, word.byteOffset, word.byteLength);
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}

function carrier(argv: readonly Uint8Array[]): Spawnable {
  const lines: string[] = [];
  const words: string[] = [];
  const plain: string[] = [];
  argv.forEach((bytes, index) => {
    const text = decode(bytes);
    plain.push(text ?? "");
    if (text === null) lines.push(`w${index}=$(printf '${octal(bytes)}.'); w${index}=\${w${index}%.}`);
    words.push(text === null ? `"$w${index}"` : `"\${${index + 1}}"`);
  });
  return { file: "/bin/sh", args: ["-c", `${lines.join("; ")}; exec ${words.join(" ")}`, "sh", ...plain] };
}

function octal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** As `execvp` looks: a name with a slash is a path, others are on the PATH. Null when it can be executed. */
function findProgram(program: Buffer, environment: Environment): StartFailure | null {
  const places = program.includes("/") ? [""] : (environment["PATH"] ?? "/usr/bin:/bin").split(":");
  let denied = false;
  for (const place of places) {
    const file = place === "" ? program : Buffer.concat([Buffer.from(`${place}/`), program]);
    const state = executable(file);
    if (state === "yes") return null;
    denied ||= state === "no";
  }
  return denied ? { kind: "not-executable", detail: "EACCES" } : { kind: "not-found", detail: "ENOENT" };
}

function executable(file: Buffer): "yes" | "no" | "absent" {
  try {
    if (!statSync(file).isFile()) return "no";
    accessSync(file, constants.X_OK);
    return "yes";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "no" : "absent";
  }
}
