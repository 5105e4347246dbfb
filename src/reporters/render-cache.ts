import { cacheAreas, totalBytes, type CacheEntry } from "../core/cache/index.ts";

const said: Readonly<Record<CacheEntry["area"], string>> = {
  mirrors: "copies of repositories",
  dependencies: "installed dependencies",
  bases: "checkouts of bases",
  toolchains: "copies of programs",
  baselines: "results of bases",
  fits: "what was found fit",
  pushes: "pushed trees that passed",
};

/** Bytes as people read them, in decimal units. */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const at = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at] ?? ""}`;
}

/** One line an area: how many entries, how large, how many in use. */
export function cacheLines(entries: readonly CacheEntry[]): readonly string[] {
  return cacheAreas.flatMap((area) => {
    const own = entries.filter((entry) => entry.area === area);
    const held = own.filter((entry) => entry.held).length;
    if (own.length === 0) return [];
    return [`  ${said[area]}: ${own.length}, ${sizeText(totalBytes(own))}${held === 0 ? "" : `, ${held} in use`}`];
  });
}

/** One line an entry: what it is, how large, when it was used. */
export function cacheEntryLine({ area, name, bytes, used_at_ms }: CacheEntry): string {
  return `  ${area}/${name.slice(0, 12)}  ${sizeText(bytes)}  used ${new Date(used_at_ms).toISOString().slice(0, 16)}Z`;
}
