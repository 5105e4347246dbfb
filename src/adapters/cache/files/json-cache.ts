import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { canonicalJson, digestOf, type Digest } from "../../../core/digest.ts";
import type { Cache } from "../../../ports/cache.ts";

/** A cache of JSON values in `directory`, each stored with its own digest, so that a torn file reads as absent. */
export function createJsonCache(directory: string): Cache {
  const fileOf = (kind: string, key: Digest): string =>
    path.join(directory, kind, `${key.slice("sha256:".length)}.json`);
  return {
    async read(kind, key) {
      const text = await readFile(fileOf(kind, key), "utf8").catch(() => null);
      return text === null ? null : parseEntry(text);
    },
    async write(kind, key, value) {
      const file = fileOf(kind, key);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const part = `${file}.${process.pid}.part`;
      await writeFile(part, canonicalJson({ digest: digestOf(value), value }), { mode: 0o600 });
      await rename(part, file);
    },
  };
}

function parseEntry(text: string): unknown {
  try {
    const entry = JSON.parse(text) as { digest?: unknown; value?: unknown };
    return entry.value !== undefined && entry.digest === digestOf(entry.value) ? entry.value : null;
  } catch {
    return null;
  }
}
