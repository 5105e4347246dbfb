import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CacheHolds } from "../../../ports/index.ts";
import { isMarked, marksDirectory, ownWords, putMark, touchUsed } from "./use-marks.ts";

const pollMs = 20;

/**
 * Holds over the entries of a cache. The mark comes first and the look for a removal after it, and who removes does it the
 * other way round: one of the two sees the other.
 */
export function createCacheHolds(cache: string): CacheHolds {
  return {
    async hold(area, name) {
      const directory = marksDirectory(cache, area);
      await touchUsed(directory, name);
      const mark = path.join(directory, `${name}.held.${randomUUID()}`);
      await putMark(mark, await ownWords());
      while (await isMarked(path.join(directory, `${name}.removing`))) await pause(pollMs);
      return () => rm(mark, { force: true });
    },
  };
}
