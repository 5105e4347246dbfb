import { decodePush } from "../../../core/change/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { CommitRequest, PushResult, RemoteRef } from "../../../ports/index.ts";
import { lastLines } from "./git-failure.ts";
import { runGit } from "./git-process.ts";
import type { MirrorContext } from "./mirror-store.ts";
import { listSource, openSource, type Source } from "./source.ts";
import { fetchInto, mirrorRefs } from "./sync-mirror.ts";

/** Who commits. One fixed identity, so that the same change is the same commit on every machine. */
const identity = { name: "Trueup", email: "trueup@localhost.invalid" } as const;

/** Writes a commit; the same request gives the same id. */
export async function writeCommit(context: MirrorContext, request: CommitRequest): Promise<string> {
  const date = `@${request.date} +0000`;
  const answer = await runGit(context.settings, {
    config: ["i18n.commitEncoding=UTF-8"],
    args: ["commit-tree", "-p", request.parent, "-F", "-", request.tree],
    gitDirectory: context.place.directory,
    input: Buffer.from(request.message, "utf8"),
    env: {
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
      GIT_COMMITTER_DATE: date,
    },
  });
  return answer.stdout.toString("latin1").trim();
}

/** Refs of a remote whose name begins with `prefix`. An address that cannot be read is an error, never an empty list. */
export async function listRemote(context: MirrorContext, url: string, prefix: string): Promise<readonly RemoteRef[]> {
  const listing = await listSource(context.settings, await openSource(url));
  return listing.refs.filter((ref) => ref.name.startsWith(prefix));
}

/** Fetches what a remote shows under a full ref name now; throws `base-not-found` when it shows no such ref. */
export async function fetchRef(context: MirrorContext, url: string, ref: string): Promise<string> {
  const source = await openSource(url);
  const listing = await listSource(context.settings, source);
  const id = listing.refs.find((known) => known.name === ref)?.id;
  if (id === undefined) throw new TrueupError("base-not-found", { subject: ref });
  await fetchInto(context, { source, signal: undefined }, [`+${id}:${mirrorRefs.fetched}${id}`]);
  return id;
}

/** Pushes one new branch, create-only and atomic; one that exists is never moved. */
export async function pushNew(
  context: MirrorContext,
  request: { url: string; branch: string; commit: string },
): Promise<PushResult> {
  const ref = `refs/heads/${request.branch}`;
  const source = await openSource(request.url);
  const { address, protocol } = pushAddress(source);
  const options = [
    "--porcelain",
    "--atomic",
    "--no-verify",
    "--no-signed",
    "--no-follow-tags",
    "--recurse-submodules=no",
  ];
  const answer = await runGit(context.settings, {
    args: ["push", ...options, `--force-with-lease=${ref}:`, "--", address, `${request.commit}:${ref}`],
    gitDirectory: context.place.directory,
    protocol,
    accept: [0, 1, 128],
  });
  const said = decodePush(answer.stdout.toString("utf8"), ref);
  if (said.kind === "created" && answer.code === 0) return { outcome: "created" };
  if (said.kind === "rejected")
    return { outcome: "rejected", reason: `${said.reason} ${lastLines(answer.stderr)}`.trim() };
  if (said.kind === "exists") return { outcome: "exists", at: await branchAt(context, source, ref) };
  return { outcome: "transport", reason: lastLines(answer.stderr) || `exit ${answer.code}` };
}

async function branchAt(context: MirrorContext, source: Source, ref: string): Promise<string | null> {
  const listing = await listSource(context.settings, source);
  return listing.refs.find((known) => known.name === ref)?.id ?? null;
}

function pushAddress(source: Source): { address: string; protocol: "file" | "https" | "ssh" } {
  if (source.kind === "remote") return { address: source.url, protocol: source.protocol };
  return { address: source.repository.root, protocol: "file" };
}
