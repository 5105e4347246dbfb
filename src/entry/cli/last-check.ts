import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { compareText } from "../../core/digest.ts";
import { openPlaces } from "./places.ts";
import type { Terminal } from "./terminal.ts";

/** The artifacts of the newest check on this machine that has a verdict, by names that sort by time; null when there is none. */
export async function findLastCheck(terminal: Terminal): Promise<string | null> {
  const checks = path.join((await openPlaces(terminal)).state, "checks");
  const names = await readdir(checks).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const places = names
    .toSorted(compareText)
    .toReversed()
    .map((name) => path.join(checks, name, "out"));
  // A check that was cut off, or that judged several tips, has no verdict of its own.
  for (const place of places) if (await isFile(path.join(place, "verdict.json"))) return place;
  return null;
}

const isFile = async (file: string): Promise<boolean> =>
  stat(file).then(
    (info) => info.isFile(),
    () => false,
  );
