import { cleanCache } from "../../app/clean-cache/clean-cache.ts";
import { decideCacheLimit, type CacheLimit } from "../../core/config/cache-limit.ts";
import { TrueupError } from "../../errors.ts";
import { createKeeper } from "./build-ports.ts";
import { describeError } from "./describe-error.ts";
import { writeLine, type Terminal } from "./terminal.ts";

/** Throws `usage` for a limit that is none. */
export function readCacheLimit(terminal: Terminal, flag?: string): CacheLimit {
  const limit = decideCacheLimit({ flag, variable: terminal.env["TRUEUP_CACHE_MAX_BYTES"] });
  if (!("invalid" in limit)) return limit;
  const subject = flag === undefined ? "TRUEUP_CACHE_MAX_BYTES" : "--max-bytes";
  throw new TrueupError("usage", { subject: `${subject} ${limit.invalid}`, detail: "a size is wanted: 20G, 500M, 0" });
}

/** Brings the cache back under its limit after a command that may have grown it. A failure is said and changes no result. */
export async function trimCache(terminal: Terminal): Promise<void> {
  if (terminal.signal.aborted) return;
  try {
    await cleanCache(await createKeeper(terminal), { maxBytes: readCacheLimit(terminal).bytes, dryRun: false });
  } catch (error) {
    await writeLine(terminal.stderr, `trueup: the cache was not cleaned: ${describeError(error).message}`);
  }
}
