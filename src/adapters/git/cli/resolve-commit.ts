import { TrueupError } from "../../../errors.ts";
import type { CommitRef } from "../../../ports/index.ts";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { readObjects } from "./read-objects.ts";
import { mirrorRefs, readMirrorRefs } from "./sync-mirror.ts";

/** A commit read back from its object. */
export interface ReadCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

const fullId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;

const shortId = /^[0-9a-f]{7,39}$/u;
const steps = /(?:[~^][0-9]{0,9})*$/u;

/** Resolves a branch, a tag, `HEAD`, a full ref name or an id, in this order, and then `~N` and `^N`; nothing else. */
export async function resolveCommit(context: MirrorContext, revision: string): Promise<CommitRef> {
  const back = steps.exec(revision)?.[0] ?? "";
  const id = await findId(context, revision.slice(0, revision.length - back.length));
  if (id === null) throw new TrueupError("base-not-found", { subject: revision });
  const answer = await runGit(context.settings, {
    args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${id}${back}^{commit}`],
    gitDirectory: context.place.directory,
    accept: [0, 1, 128],
  });
  const commit = answer.stdout.toString("latin1").trim();
  const read = answer.code === 0 && fullId.test(commit) ? await readCommit(context, commit) : null;
  if (read === null) throw new TrueupError("base-not-found", { subject: revision });
  return { commit, tree: read.tree };
}

/** The id that a name stands for. A short id is handed on: git finds it, or says that it fits several objects. */
async function findId(context: MirrorContext, revision: string): Promise<string | null> {
  const name = revision.replace(/^refs\/(heads|tags)\//u, "$1/");
  const refs = await readMirrorRefs(context);
  if (revision === "HEAD") return refs.get(mirrorRefs.head) ?? null;
  const known =
    refs.get(`refs/trueup/${name}`) ?? refs.get(mirrorRefs.heads + revision) ?? refs.get(mirrorRefs.tags + revision);
  return known ?? (fullId.test(revision) || shortId.test(revision) ? revision : null);
}

/** A commit's tree, parents and message; null when the id is not here or no commit. */
export async function readCommit(context: MirrorContext, id: string): Promise<ReadCommit | null> {
  if (!fullId.test(id)) return null;
  const check = await runGit(context.settings, {
    args: ["cat-file", "--batch-check=%(objecttype)"],
    input: Buffer.from(`${id}\n`),
    gitDirectory: context.place.directory,
  });
  if (check.stdout.toString("latin1") !== "commit\n") return null;
  let found: ReadCommit | null = null;
  await readObjects(context, [id], (object) => {
    found = decodeCommit(object.bytes);
  });
  return found;
}

/** The nearest common ancestor of two commits, or null when they share none. */
export async function mergeBase(context: MirrorContext, a: string, b: string): Promise<string | null> {
  const answer = await runGit(context.settings, {
    args: ["merge-base", a, b],
    gitDirectory: context.place.directory,
    accept: [0, 1],
  });
  return answer.code === 0 ? answer.stdout.toString("latin1").trim() : null;
}

function decodeCommit(bytes: Buffer): ReadCommit {
  const end = bytes.indexOf("\n\n");
  const head = bytes.toString("utf8", 0, end < 0 ? bytes.length : end).split("\n");
  const values = (key: string): readonly string[] =>
    head.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const tree = values("tree")[0];
  if (tree === undefined) throw new TrueupError("mirror-broken", { detail: "a commit without a tree" });
  return { tree, parents: values("parent"), message: end < 0 ? "" : bytes.toString("utf8", end + 2) };
}
