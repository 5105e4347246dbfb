import type { Readable } from "node:stream";
import type { OutputSink, SinkAnswer } from "../../../ports/index.ts";
import { milliseconds } from "./milliseconds.ts";

/** A stream on its way to a sink. */
export interface Draining {
  readonly closed: boolean;
  /** The end itself was seen: every writer has closed. */
  readonly ended: boolean;
  /** Waits for the end; when nothing came for `quietMs` while nobody held it back, gives up and returns false. */
  finish(quietMs: number): Promise<boolean>;
}

/** More than a pipe can hold, in bytes. */
const leftBytes = 4 * 2 ** 20;

interface DrainState {
  closed: boolean;
  ended: boolean;
  unheld: number;
  busy: boolean;
  last: number;
}

/** Resolves when nothing came for `quietMs` while nobody held the stream back, or when it closed. */
function quietFor(state: DrainState, closed: Promise<void>, quietMs: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!state.closed && (state.busy || milliseconds() - state.last < quietMs)) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(look, Math.min(quietMs, 20));
    void closed.then(() => {
      clearInterval(timer);
      resolve();
    });
  });
}

/** Hands a stream's chunks to a sink in order, holding the writer back while the sink is busy: memory stays constant. */
export function drainStream(stream: Readable, sink: OutputSink): Draining {
  const state: DrainState = { closed: false, ended: false, unheld: 0, busy: false, last: milliseconds() };
  let settle: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const answer = (said: SinkAnswer): void => {
    if (said === "stop") stream.destroy();
  };
  stream.on("data", (chunk: Uint8Array) => {
    state.last = milliseconds();
    const said = sink.write(chunk);
    if (typeof said === "string") return answer(said);
    if (state.unheld > 0) {
      state.unheld -= chunk.length;
      return;
    }
    state.busy = true;
    stream.pause();
    void said.then((later) => {
      state.busy = false;
      state.last = milliseconds();
      answer(later);
      stream.resume();
    });
  });
  // A read error ends the stream; `close` follows.
  stream.on("error", () => undefined);
  stream.on("end", () => {
    state.ended = true;
  });
  stream.on("close", () => {
    state.closed = true;
    settle();
  });
  return {
    get closed() {
      return state.closed;
    },
    get ended() {
      return state.ended;
    },
    async finish(quietMs) {
      state.last = milliseconds();
      // Whoever wrote is dead: the little that is left in the pipe need not wait for a slow reader to be recorded.
      state.unheld = leftBytes;
      state.busy = false;
      stream.resume();
      await Promise.race([closed, quietFor(state, closed, quietMs)]);
      if (state.closed) return true;
      stream.destroy();
      return false;
    },
  };
}
