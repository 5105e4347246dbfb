import path from "node:path";
import { sha256 } from "../../src/core/digest.ts";
import type { RunCase } from "./case-schema.ts";
import { twinFolder, type CorpusCase } from "./load-corpus.ts";
import { readFolder } from "./read-folder.ts";

/** One delivery: what the repository holds, what the agent does, what is promised. */
export interface Side {
  readonly base: Readonly<Record<string, string>>;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  readonly contract: Readonly<Record<string, unknown>>;
  readonly heldOut: readonly {
    readonly text: string;
    readonly path: string;
    readonly command: string;
    readonly passed: number;
  }[];
}

interface Change {
  readonly folder: string;
  readonly delete?: readonly string[] | undefined;
  readonly steps?: Side["steps"] | undefined;
  readonly contract: Side["contract"];
}

/** The case's own side: the cheat, or the ordinary honest work. */
export function planCase(root: string, one: CorpusCase<RunCase>): Side {
  const { data, folder } = one;
  return planSide(root, one, { ...data, folder: path.join(folder, "head") });
}

/** The cheat's honest twin, under the same contract unless it names its own; null for honest work. */
export function planTwin(root: string, one: CorpusCase<RunCase>): Side | null {
  const { twin, contract } = one.data;
  if (twin === undefined) return null;
  return planSide(root, one, {
    ...twin,
    contract: twin.contract ?? contract,
    folder: twinFolder(root, one.folder, twin),
  });
}

function planSide(root: string, { folder, data }: CorpusCase<RunCase>, change: Change): Side {
  const writes = Object.entries(readFolder(change.folder)).map(([file, text]) => ({ write: { path: file, text } }));
  const deletes = (change.delete ?? []).map((file) => ({ delete: file }));
  const hidden = readFolder(path.join(folder, "held-out"));
  return {
    base: { ...readFolder(path.join(root, "_bases", data.base)), ...readFolder(path.join(folder, "base")) },
    steps: [...writes, ...deletes, ...(change.steps ?? [])],
    contract: change.contract,
    heldOut: (data.held_out ?? []).map(({ file, ...rest }) => ({ text: hidden[file] ?? "", ...rest })),
  };
}

/** Equal for two sides that would be the same delivery, so that a shared twin is run once. */
export function sideKey(side: Side): string {
  return sha256(JSON.stringify(side));
}
