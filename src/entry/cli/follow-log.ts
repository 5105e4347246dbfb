import { setTimeout as delay } from "node:timers/promises";
import type { CommandRecord } from "../../core/record/index.ts";
import type { RecordLog } from "../../ports/index.ts";

interface Follow {
  readonly log: RecordLog;
  /** Digest of the newest record that was printed already. */
  readonly last: string | null;
  readonly signal: AbortSignal;
  /** False once nobody reads any more. */
  readonly isRead: () => boolean;
  readonly print: (record: CommandRecord) => Promise<void>;
}

const pauseMs = 200;
const window = 200;

/** Prints records as they are appended, until the signal aborts. A burst longer than the window is read whole. */
export async function followLog({ log, last, signal, isRead, print }: Follow): Promise<void> {
  let seen = last;
  while (!signal.aborted && isRead()) {
    const newest = await log.readNewest(window);
    const at = newest.findIndex((record) => record.digest === seen);
    const all = at < 0 && newest.length === window ? (await log.readAll()).records : newest;
    for (const record of all.slice(all.findIndex((one) => one.digest === seen) + 1)) await print(record);
    seen = all.at(-1)?.digest ?? seen;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
