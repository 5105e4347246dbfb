import { sha256 } from "../../core/digest.ts";
import {
  emptyInitRecord,
  planInit,
  planUninit,
  proposeFiles,
  withFile,
  type FileAction,
  type FileState,
  type InitRecord,
  type RemovalAction,
  type Survey,
} from "../../core/init/index.ts";
import { TrueupError } from "../../errors.ts";
import type { InitRecords, RepositoryFiles } from "../../ports/index.ts";

export interface InitPorts {
  readonly files: RepositoryFiles;
  readonly records: InitRecords;
}

/** What would be written, and nothing is yet. */
export async function planInitFiles(survey: Survey, { files, records }: InitPorts): Promise<readonly FileAction[]> {
  const proposed = proposeFiles(survey);
  const states = await readStates(
    files,
    proposed.map((one) => one.path),
  );
  return planInit(proposed, states, (await records.read(files.root)) ?? emptyInitRecord(files.root));
}

/**
 * Writes what was planned and shown. What somebody changed meanwhile is left alone and named in the answer. Each file is
 * recorded before it is written: a crash in between leaves a record of nothing, never a file without one.
 */
export async function writeInitFiles(
  plan: readonly FileAction[],
  { files, records }: InitPorts,
): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const one of plan) {
    if (one.action !== "create" && one.action !== "update") continue;
    const record = (await records.read(files.root)) ?? emptyInitRecord(files.root);
    const file = { path: one.path, digest: sha256(one.text) };
    await records.write(withFile(record, file));
    const made = await writeOne(one, files);
    if (made === null) {
      refused.push(one.path);
      await records.write(record);
    } else await records.write(withFile(record, file, made));
  }
  return refused;
}

/** The directories that were made, or null when something else stands there now. */
async function writeOne(
  one: Extract<FileAction, { readonly action: "create" | "update" }>,
  files: RepositoryFiles,
): Promise<readonly string[] | null> {
  if (one.action === "update")
    return (await files.replace(one.path, one.text, one.expected)) === "replaced" ? [] : null;
  const answer = await files.create(one.path, one.text);
  return answer.outcome === "created" ? answer.directories : null;
}

/** What `uninit` would do; null when nothing is recorded for this work tree. */
export async function planUninitFiles({ files, records }: InitPorts): Promise<readonly RemovalAction[] | null> {
  const record = await records.read(files.root);
  if (record === null) return null;
  return planUninit(
    record,
    await readStates(
      files,
      record.files.map((one) => one.path),
    ),
  );
}

/** Removes what was planned, then the directories that `init` made and that are empty. What is kept stays recorded. */
export async function removeInitFiles(
  plan: readonly RemovalAction[],
  { files, records }: InitPorts,
): Promise<readonly string[]> {
  const record = await records.read(files.root);
  if (record === null) throw new TrueupError("init-record-damaged", { subject: files.root, detail: "it is gone" });
  const refused: string[] = [];
  for (const one of plan)
    if (one.action === "remove" && (await files.remove(one.path, one.expected)) === "changed") refused.push(one.path);
  const kept = new Set([...plan.filter((one) => one.action === "keep").map((one) => one.path), ...refused]);
  await settleRecord({ ...record, files: record.files.filter((one) => kept.has(one.path)) }, { files, records });
  return refused;
}

async function settleRecord(record: InitRecord, { files, records }: InitPorts): Promise<void> {
  const left: string[] = [];
  // Innermost first: a directory is empty only when those in it are gone.
  for (const directory of record.directories.toSorted((a, b) => b.length - a.length))
    if (!(await files.removeEmptyDirectory(directory))) left.push(directory);
  if (record.files.length === 0) await records.remove(files.root);
  else await records.write({ ...record, directories: left });
}

async function readStates(files: RepositoryFiles, paths: readonly string[]): Promise<ReadonlyMap<string, FileState>> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await files.read(path)] as const)));
}
