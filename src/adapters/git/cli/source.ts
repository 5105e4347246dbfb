import { realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RemoteRef } from "../../../ports/index.ts";
import { TrueupError } from "../../../errors.ts";
import { type LocalRepository, repositoryAt } from "./find-work-tree.ts";
import { lastLines } from "./git-failure.ts";
import { type GitSettings, runGit } from "./git-process.ts";
import { readLocalHead, readLocalRefs } from "./local-refs.ts";
import { type ObjectFormat, writePlainRepository } from "./mirror-store.ts";

/** A repository to read from: one on this machine, or one behind a transport. */
export type Source =
  | { readonly kind: "local"; readonly repository: LocalRepository }
  | { readonly kind: "remote"; readonly url: string; readonly protocol: "https" | "ssh" };

/** What a source shows: its refs, where HEAD stands, its kind of ids (null when it has no ref to tell by). */
export interface SourceListing {
  readonly refs: readonly RemoteRef[];
  readonly head: { readonly ref: string | null; readonly id: string | null };
  readonly objectFormat: ObjectFormat | null;
}

const scheme = /^([a-z][a-z0-9+.-]*):\/\//iu;
const scpLike = /^[^/:\s]+@[^/:\s]+:(?!\/\/)\S+$/u;

/** Decides what kind of source an address is. Only https, ssh, file and paths; `-` first or `::` is never passed on. */
export async function openSource(address: string): Promise<Source> {
  const named = scheme.exec(address)?.[1]?.toLowerCase();
  if (address.startsWith("-") || /\p{Cc}/u.test(address)) throw unreachable(address, "not an address");
  if (named === "https" || named === "ssh") return { kind: "remote", url: address, protocol: named };
  if (named === undefined && scpLike.test(address)) return { kind: "remote", url: address, protocol: "ssh" };
  if (named !== undefined && named !== "file") throw unreachable(address, `${named} is not one of https, ssh, file`);
  const path = named === "file" ? fileURLToPath(address) : address;
  const real = await realpath(path).catch(() => null);
  const repository = real === null ? null : await repositoryAt(real);
  if (repository === null)
    throw unreachable(address, real === null ? "no such directory" : "there is no git repository");
  return { kind: "local", repository };
}

/** The address that names one mirror: a real path for local sources, so that spellings of it share the mirror. */
export function sourceName(source: Source): string {
  return source.kind === "local" ? source.repository.root : source.url;
}

/** Asks a source for its refs. Throws `repository-unreachable`; an empty list is only ever an answer. */
export async function listSource(settings: GitSettings, source: Source, signal?: AbortSignal): Promise<SourceListing> {
  if (source.kind === "local") {
    const [refs, head] = await Promise.all([readLocalRefs(source.repository), readLocalHead(source.repository)]);
    return { refs, head, objectFormat: source.repository.objectFormat };
  }
  const call = {
    args: ["ls-remote", "--symref", "--quiet", "--", source.url],
    protocol: source.protocol,
    accept: [0, 128],
    signal,
  };
  const answer = await runGit(settings, call);
  if (answer.code !== 0) throw unreachable(source.url, lastLines(answer.stderr));
  return decodeListing(answer.stdout.toString("utf8"), source.url);
}

/**
 * Uses a source as an address git can fetch from. A local repository is shown through a bare repository of our own that
 * borrows only its objects: its configuration, hooks and promisor remotes are never read.
 */
export async function withFetchAddress<T>(
  source: Source,
  scratch: string,
  use: (address: string, protocol: "file" | "https" | "ssh") => Promise<T>,
): Promise<T> {
  if (source.kind === "remote") return use(source.url, source.protocol);
  const shim = join(scratch, "source.git");
  const { repository } = source;
  await writePlainRepository(shim, repository.objectFormat, "[uploadpack]\n\tallowAnySHA1InWant = true\n");
  await writeFile(
    join(shim, "objects", "info", "alternates"),
    `${JSON.stringify(join(repository.commonDirectory, "objects"))}\n`,
  );
  const [refs, head] = await Promise.all([readLocalRefs(repository), readLocalHead(repository)]);
  const known = head.id === null ? refs : [...refs, { name: "refs/trueup/HEAD", id: head.id }];
  const lines = known.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((ref) => `${ref.id} ${ref.name}\n`);
  await writeFile(join(shim, "packed-refs"), `# pack-refs with: sorted \n${lines.join("")}`);
  return use(`file://${shim}`, "file");
}

/** The error for a source that cannot be read, with the transport's own words. */
export function unreachable(address: string, detail: string): TrueupError {
  return new TrueupError("repository-unreachable", { subject: address, detail });
}

function decodeListing(text: string, url: string): SourceListing {
  const refs: RemoteRef[] = [];
  let head: SourceListing["head"] = { ref: null, id: null };
  for (const line of text.split("\n").filter((some) => some !== "")) {
    const symbolic = /^ref: (\S+)\tHEAD$/u.exec(line);
    const plain = /^([0-9a-f]{40}|[0-9a-f]{64})\t(\S+)$/u.exec(line);
    if (symbolic !== null) head = { ...head, ref: symbolic[1] ?? null };
    else if (plain === null) {
      if (!line.startsWith("ref: ")) throw unreachable(url, "its list of refs cannot be read");
    } else if (plain[2] === "HEAD") head = { ...head, id: plain[1] ?? null };
    else if (!(plain[2] ?? "").endsWith("^{}")) refs.push({ id: plain[1] ?? "", name: plain[2] ?? "" });
  }
  const length = (refs[0]?.id ?? head.id)?.length;
  return { refs, head, objectFormat: length === undefined ? null : length === 64 ? "sha256" : "sha1" };
}
