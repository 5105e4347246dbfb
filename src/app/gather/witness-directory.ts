import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { digestOf, sha256, type Digest } from "../../core/digest.ts";

/** Where the witness is mounted inside the sandbox, read-only. */
export const witnessMount = "/opt/trueup/witness";

/** The witness's directory on this machine, beside the sources as beside the build. */
export function witnessDirectory(): string {
  return path.join(import.meta.dirname, "../../witness");
}

/** One digest over the names and bytes of all files of the witness: the version of what we believe. */
export async function witnessDigest(): Promise<Digest> {
  const directory = witnessDirectory();
  const names = (await readdir(directory)).filter((name) => /\.[cm]js$/u.test(name)).toSorted();
  const files = await Promise.all(
    names.map(async (name) => [name, sha256(await readFile(path.join(directory, name)))]),
  );
  return digestOf({ version: 1, files });
}
