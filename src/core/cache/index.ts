export { cacheAreas, planClean, totalBytes, type CacheArea, type CacheEntry } from "./plan-clean.ts";
