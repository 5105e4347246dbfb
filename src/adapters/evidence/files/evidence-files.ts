import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { digestOf, sha256, type Digest } from "../../../core/digest.ts";
import type { Evidence } from "../../../ports/index.ts";
import { openReportPipe } from "./report-pipe.ts";

const reportLimit = 64 * 1024 * 1024;

/** Where the executor keeps what it needs while a run lasts. */
export interface EvidenceFilesOptions {
  /** A directory of the executor's own, outside every work tree. */
  readonly scratchDirectory: string;
}

async function digestWitness(directory: string): Promise<Digest> {
  const names = (await readdir(directory)).filter((name) => /\.(?:[cm]js|py)$/u.test(name)).toSorted();
  const files = await Promise.all(
    names.map(async (name) => [name, sha256(await readFile(path.join(directory, name)))]),
  );
  return digestOf({ version: 1, files });
}

/** The witness as it lies in this package, beside the sources as beside the build, and reports of at most 64 MiB. */
export function createEvidenceFiles(options: EvidenceFilesOptions): Evidence {
  const witnessDirectory = path.join(import.meta.dirname, "../../../witness");
  return {
    witnessDirectory,
    witnessDigest: () => digestWitness(witnessDirectory),
    openReportPipe: () => openReportPipe({ scratchDirectory: options.scratchDirectory, byteLimit: reportLimit }),
  };
}
