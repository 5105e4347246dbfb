import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { WorkTree } from "../../../ports/index.ts";
import { findRepository } from "./find-work-tree.ts";
import { readLocalHead } from "./local-refs.ts";
import { writePlainRepository } from "./mirror-store.ts";

/** A bare repository and what it has received but not taken in, as a repository that can be read. */
export interface ReceivedView {
  /** The bare repository as a work tree without files. */
  readonly place: WorkTree;
  readonly url: string;
  readonly refOf: (commit: string) => string;
  readonly close: () => Promise<void>;
}

/**
 * Shows commits that git holds in quarantine while `pre-receive` runs: a bare repository of our own that borrows the objects
 * of both. Neither is written to.
 */
export async function openReceivedView(options: {
  readonly repository: string;
  /** Absolute; null when git made no quarantine. */
  readonly quarantine: string | null;
  readonly commits: readonly string[];
  readonly scratchDirectory: string;
}): Promise<ReceivedView> {
  const repository = await findRepository(options.repository);
  if (repository === null) throw new TrueupError("not-a-repository", { subject: options.repository });
  await mkdir(options.scratchDirectory, { recursive: true, mode: 0o700 });
  const url = await mkdtemp(join(options.scratchDirectory, "received-"));
  await writePlainRepository(url, repository.objectFormat);
  const objects = [
    join(repository.commonDirectory, "objects"),
    ...(options.quarantine === null ? [] : [options.quarantine]),
  ];
  await writeFile(
    join(url, "objects", "info", "alternates"),
    objects.map((each) => `${JSON.stringify(each)}\n`).join(""),
  );
  const refOf = (commit: string): string => `refs/heads/received-${commit}`;
  const refs = [...new Set(options.commits)].map((commit) => `${commit} ${refOf(commit)}\n`);
  await writeFile(join(url, "packed-refs"), refs.toSorted().join(""));
  const { root, gitDirectory, shallow } = repository;
  const place = { root, gitDirectory, shallow, head: await readLocalHead(repository), crlf: false, sparse: false };
  return { place, url, refOf, close: () => rm(url, { recursive: true, force: true }) };
}
