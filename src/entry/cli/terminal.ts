import type { Readable, Writable } from "node:stream";

/** What a command may touch of the process: streams, environment, directory, interruption. Nothing else reads the process. */
export interface Terminal {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Opens standard input, for the commands that ask a person; absent where there is nobody. */
  readonly openStdin?: () => Readable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** Writes a line and waits until the stream took it; a reader that went away is no error. */
export async function writeLine(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.write(`${text}\n`, () => resolve());
  });
}

/** Colour only on a terminal, and never under NO_COLOR. */
export function wantsColor(terminal: Terminal, stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && (terminal.env["NO_COLOR"] ?? "") === "";
}
