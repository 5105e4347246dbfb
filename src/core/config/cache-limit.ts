/** 20 GB. */
const defaultCacheBytes = 20_000_000_000;

/** From where the limit of the cache came. */
export interface CacheLimit {
  readonly bytes: number;
  readonly source: "flag" | "TRUEUP_CACHE_MAX_BYTES" | "default";
}

/** The limit by precedence: flag, variable, 20 GB; the words of the one that is no size otherwise. */
export function decideCacheLimit(told: {
  readonly flag: string | undefined;
  readonly variable: string | undefined;
}): CacheLimit | { readonly invalid: string } {
  const words = told.flag ?? told.variable;
  if (words === undefined || words === "") return { bytes: defaultCacheBytes, source: "default" };
  const bytes = parseSize(words);
  if (bytes === null) return { invalid: words };
  return { bytes, source: told.flag === undefined ? "TRUEUP_CACHE_MAX_BYTES" : "flag" };
}

const units: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `20G`, `500M`, `0`, `1000000`: whole numbers in decimal units. */
function parseSize(words: string): number | null {
  const [, digits = "", unit = ""] = /^(\d{1,15})([KMGT]?)B?$/iu.exec(words) ?? [];
  const bytes = digits === "" ? Number.NaN : Number(digits) * (units[unit.toUpperCase()] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
