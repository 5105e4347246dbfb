import { TrueupError } from "../../../errors.ts";
import { isFull, lastLines } from "./git-failure.ts";
import { runGit } from "./git-process.ts";
import { type MirrorContext, withScratch } from "./mirror-store.ts";
import { type Source, type SourceListing, sourceName, unreachable, withFetchAddress } from "./source.ts";

/** Where a source's refs stand in the mirror; nothing else writes below these. */
export const mirrorRefs = {
  head: "refs/trueup/HEAD",
  heads: "refs/trueup/heads/",
  tags: "refs/trueup/tags/",
  pinned: "refs/trueup/pinned/",
  fetched: "refs/trueup/fetched/",
} as const;

interface SyncRequest {
  readonly source: Source;
  readonly listing: SourceListing;
  /** Full ids that are wanted beside the branches. */
  readonly also: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/** Brings every branch, tag and wanted commit of the source into the mirror, checked object by object. */
export async function syncMirror(context: MirrorContext, request: SyncRequest): Promise<void> {
  const { listing } = request;
  const wanted = new Map<string, string>();
  for (const ref of listing.refs) {
    if (ref.name.startsWith("refs/heads/")) wanted.set(`${mirrorRefs.heads}${ref.name.slice(11)}`, ref.id);
    if (ref.name.startsWith("refs/tags/")) wanted.set(`${mirrorRefs.tags}${ref.name.slice(10)}`, ref.id);
  }
  if (listing.head.id !== null) wanted.set(mirrorRefs.head, listing.head.id);
  for (const id of request.also) wanted.set(`${mirrorRefs.pinned}${id}`, id);
  const present = await readMirrorRefs(context);
  const missing = [...wanted].filter(([name, id]) => present.get(name) !== id);
  const stale = [...present.keys()].filter((name) => isBranchCopy(name) && !wanted.has(name));
  // Old names go first: `a` may have become `a/b`.
  if (stale.length > 0) await deleteRefs(context, stale);
  if (missing.length === 0) return;
  await fetchInto(
    context,
    request,
    missing.map(([name, id]) => `+${id}:${name}`),
  );
}

/** Fetches refspecs from a source with every object checked. Throws `repository-unreachable`, `repository-invalid`, `base-not-found`. */
export async function fetchInto(
  context: MirrorContext,
  request: Pick<SyncRequest, "source" | "signal">,
  refspecs: readonly string[],
): Promise<void> {
  await withScratch(context, (scratch) =>
    withFetchAddress(request.source, scratch, async (address, protocol) => {
      const fetch = [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-write-fetch-head",
        "--no-auto-gc",
        "--stdin",
      ];
      const config = ["transfer.fsckObjects=true", "fetch.fsckObjects=true", "transfer.unpackLimit=100"];
      const answer = await runGit(context.settings, {
        config,
        args: [...fetch, "--", address],
        gitDirectory: context.place.directory,
        input: Buffer.from(refspecs.map((spec) => `${spec}\n`).join("")),
        protocol,
        accept: [0, 1, 128],
        signal: request.signal,
      });
      if (answer.code === 0) return;
      if (await isFull(context.place.directory))
        throw new TrueupError("disk-full", { subject: context.place.directory });
      throw fetchFailure(request.source, answer.stderr);
    }),
  );
}

/** Every ref of ours in the mirror by name. */
export async function readMirrorRefs(context: MirrorContext): Promise<ReadonlyMap<string, string>> {
  const answer = await runGit(context.settings, {
    args: ["for-each-ref", "--format=%(objectname) %(refname)", "refs/trueup/"],
    gitDirectory: context.place.directory,
  });
  const lines = answer.stdout
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
}

async function deleteRefs(context: MirrorContext, names: readonly string[]): Promise<void> {
  const input = Buffer.from(names.map((name) => `delete ${name}\n`).join(""));
  await runGit(context.settings, { args: ["update-ref", "--stdin"], gitDirectory: context.place.directory, input });
}

function isBranchCopy(name: string): boolean {
  return name.startsWith(mirrorRefs.heads) || name.startsWith(mirrorRefs.tags) || name === mirrorRefs.head;
}

function fetchFailure(source: Source, stderr: string): TrueupError {
  const detail = lastLines(stderr);
  const subject = sourceName(source);
  if (/No space left on device|ENOSPC|Disk quota exceeded/u.test(stderr))
    return new TrueupError("disk-full", { subject, detail });
  if (/fsck|error in object|object [0-9a-f]{40,64}: |repository corruption|is corrupt|unable to read/u.test(stderr))
    return new TrueupError("repository-invalid", { subject, detail });
  if (/not our ref|no such remote ref|couldn't find remote ref|unadvertised object/u.test(stderr))
    return new TrueupError("base-not-found", { subject, detail });
  if (/shallow/u.test(stderr)) return new TrueupError("repository-shallow", { subject, detail });
  return unreachable(subject, detail);
}
