import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { CacheHolds, Git } from "../../../ports/index.ts";
import { TrueupError } from "../../../errors.ts";
import { createMirror } from "./create-mirror.ts";
import { findRepository } from "./find-work-tree.ts";
import { type GitSettings, runGit } from "./git-process.ts";
import { readLocalHead } from "./local-refs.ts";
import { withLock } from "./mirror-lock.ts";
import { initMirror, type MirrorContext, mirrorPlace, type ObjectFormat, readObjectFormat } from "./mirror-store.ts";
import { listSource, openSource, type Source, sourceName } from "./source.ts";
import { syncMirror } from "./sync-mirror.ts";
import { readWorkTreeSettings } from "./work-tree-settings.ts";

/** What a `Git` over the command line program needs to know. */
export interface GitCliOptions {
  /** Holds `mirrors/` and scratch space; never where an agent can write. */
  readonly cacheDirectory: string;
  /** Keeps mirrors from being removed while this process lives; nobody removes any when absent. */
  readonly holds?: CacheHolds;
  /** `PATH` for git and its helpers; this process's own when absent. */
  readonly path?: string;
  /** The program; `git` from `path` when absent. */
  readonly program?: string;
  /** Socket of the user's ssh agent, for ssh remotes. */
  readonly sshAgent?: string;
  /** Names the user's own configuration files, which say how a work tree is written; none are read when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const oldest = [2, 34] as const;

/** A `Git` over the git program, 2.34 or newer, run with an environment of our own and only on mirrors of our own. */
export function createGitCli(options: GitCliOptions): Git {
  const settings: GitSettings = {
    program: options.program ?? "git",
    path: options.path ?? process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    home: join(options.cacheDirectory, "git-home"),
    sshAgent: options.sshAgent ?? null,
  };
  let checked: Promise<string> | null = null;
  const version = (): Promise<string> => (checked ??= readVersion(settings));
  const contextOf = (name: string, objectFormat: ObjectFormat): MirrorContext => ({
    settings,
    place: mirrorPlace(options.cacheDirectory, name),
    objectFormat,
    scratch: join(options.cacheDirectory, "scratch"),
  });
  return {
    version,
    async openMirror(url, { signal, also = [] } = {}) {
      await version();
      const source = await openSource(url);
      refuseShallow(source);
      const listing = await listSource(settings, source, signal);
      if (listing.objectFormat === null || (listing.head.id === null && listing.refs.length === 0))
        throw new TrueupError("repository-empty", { subject: url });
      const context = contextOf(sourceName(source), listing.objectFormat);
      await options.holds?.hold("mirrors", basename(context.place.directory));
      await withLock(context.place.lock, signal, async () => {
        const present = await readObjectFormat(context.place);
        if (present !== null && present !== context.objectFormat)
          throw new TrueupError("mirror-broken", {
            subject: context.place.directory,
            detail: `it holds ${present} ids, the repository has ${context.objectFormat} now`,
          });
        if (present === null) await initMirror(settings, context.place, context.objectFormat);
        await syncMirror(context, { source, listing, also, signal });
      });
      return { mirror: createMirror(context), head: headName(listing.head) };
    },
    async findMirror(url) {
      await version();
      const source = await openSource(url).catch(() => null);
      const place = mirrorPlace(options.cacheDirectory, source === null ? url : sourceName(source));
      await options.holds?.hold("mirrors", basename(place.directory));
      const format = await readObjectFormat(place);
      return format === null ? null : createMirror(contextOf(source === null ? url : sourceName(source), format));
    },
    async findWorkTree(directory) {
      const found = await findRepository(directory);
      if (found === null || found.bare) return null;
      return {
        root: found.root,
        gitDirectory: found.gitDirectory,
        shallow: found.shallow,
        head: await readLocalHead(found),
        ...(await readWorkTreeSettings(found, options.environment ?? { GIT_CONFIG_GLOBAL: "/dev/null" })),
      };
    },
  };
}

/** A branch's short name, or the commit when HEAD is detached. */
function headName(head: { readonly ref: string | null; readonly id: string | null }): string | null {
  if (head.id === null) return null;
  return head.ref?.startsWith("refs/heads/") === true ? head.ref.slice(11) : head.id;
}

function refuseShallow(source: Source): void {
  if (source.kind === "local" && source.repository.shallow)
    throw new TrueupError("repository-shallow", { subject: source.repository.root });
}

async function readVersion(settings: GitSettings): Promise<string> {
  await mkdir(settings.home, { recursive: true, mode: 0o700 });
  const answer = await runGit(settings, { args: ["version"] });
  const match = /^git version (([0-9]+)\.([0-9]+)\S*)/u.exec(answer.stdout.toString("utf8"));
  if (match === null) throw new TrueupError("git-missing", { detail: "it does not tell its version" });
  const [, version = "", major = "0", minor = "0"] = match;
  const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
  if (isOld) throw new TrueupError("git-too-old", { detail: version });
  return version;
}
