import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/**
 * What an overlay's upper layer holds besides directories: each path relative to the layer, with a stamp that changes whenever
 * the file is written, replaced or removed, also when its old content is put back.
 */
export async function readUpperLayer(upper: string): Promise<ReadonlyMap<string, string>> {
  const stamps = new Map<string, string>();
  const open = [""];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    for await (const entry of await opendir(join(upper, below))) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        open.push(path);
        continue;
      }
      const { ino, ctimeNs } = await lstat(join(upper, path), { bigint: true });
      stamps.set(path, `${ino} ${ctimeNs}`);
    }
  }
  return stamps;
}
