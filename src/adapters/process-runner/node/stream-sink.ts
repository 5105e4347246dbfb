import type { Writable } from "node:stream";
import type { OutputSink, SinkAnswer } from "../../../ports/index.ts";

/** A sink over a stream of ours, and what became of it. */
export interface StreamSink extends OutputSink {
  /** Why the stream takes no more, `EPIPE`; null while it does. */
  failure(): string | null;
}

/** How much a command may still say after its reader went away, in bytes: tests finish, endless output ends. */
const afterReader = 64 * 2 ** 20;

/**
 * Passes bytes on unchanged. When the reader goes away (`| head`) the command is not disturbed: its output is still
 * recorded, up to a bound; then its pipe is closed, as the reader's would have been.
 */
export function createStreamSink(stream: Writable): StreamSink {
  const state: { failure: string | null; unread: number; waiting: (() => void) | null } = {
    failure: null,
    unread: 0,
    waiting: null,
  };
  const release = (): void => {
    state.waiting?.();
    state.waiting = null;
  };
  stream.on("error", (error: NodeJS.ErrnoException) => {
    state.failure ??= error.code ?? error.message;
    release();
  });
  stream.on("drain", release);
  return {
    write(chunk) {
      if (state.failure !== null) {
        state.unread += chunk.length;
        return state.unread > afterReader ? "stop" : "more";
      }
      if (stream.write(chunk)) return "more";
      return new Promise<SinkAnswer>((resolve) => {
        state.waiting = () => resolve("more");
      });
    },
    failure: () => state.failure,
  };
}
