import type { ChangeFacts, ContentFact } from "../core/facts/index.ts";

/** A commit that exists in a mirror, with its tree. Ids are full hex. */
export interface CommitRef {
  readonly commit: string;
  readonly tree: string;
}

/** How base was found, and what its remote calls it. */
export interface ResolvedBase extends CommitRef {
  readonly ref: string;
}

/** One file to capture, as `lstat` and raw bytes. Only the walker makes these. */
export interface CapturedTree {
  readonly tree: string;
  /** Paths that are ignored in the captured tree and not tracked in base: neither tested nor published. */
  readonly ignored: number;
  readonly hazards: ChangeFacts["hazards"];
  readonly undetermined: ChangeFacts["undetermined"];
}

/** How a directory is captured. */
export interface CaptureOptions {
  readonly signal?: AbortSignal;
  /** A sparse work tree: paths of base that are missing count as base, and the facts are `undetermined`. */
  readonly sparse?: boolean;
  /** Text without an attribute is stored with LF, as `core.autocrlf` would; for a user's work tree with CRLF. */
  readonly crlf?: boolean;
}

/** One entry of a tree, recursively listed; `size` in bytes for blobs, 0 for others. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
  readonly size: number;
}

export interface CommitRequest {
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
  /** Seconds since the epoch; author and committer date, UTC. */
  readonly date: number;
}

/** What the remote answered to a create-only push, told apart by its porcelain line. */
export type PushResult =
  | { readonly outcome: "created" }
  | { readonly outcome: "exists"; readonly at: string | null }
  | { readonly outcome: "rejected"; readonly reason: string }
  | { readonly outcome: "transport"; readonly reason: string };

export interface RemoteRef {
  readonly name: string;
  readonly id: string;
}

/** A bare repository in zone A that no agent can reach. All paths it returns are absolute. */
export interface Mirror {
  readonly path: string;
  readonly objectFormat: "sha1" | "sha256";
  /** Resolves a branch, tag, `HEAD`, full or short id, each with `~N` and `^N` behind it. Throws `base-not-found`. */
  resolve(revision: string): Promise<CommitRef>;
  /** The nearest common ancestor of two commits, or null. */
  mergeBase(a: string, b: string): Promise<string | null>;
  listTree(tree: string): Promise<readonly TreeEntry[]>;
  /** A blob's bytes, or null when the tree has no such path or it is no blob. Never follows symlinks. */
  readFile(tree: string, path: string): Promise<Uint8Array | null>;
  /** The answers for `file_contains` and `file_excludes`. */
  readContents(tree: string, pairs: readonly { path: string; text: string }[]): Promise<readonly ContentFact[]>;
  /** Captures a directory against base: walk, normal form, private index, `write-tree`. The directory's own `.git` is never read. */
  captureDirectory(directory: string, base: CommitRef, options?: CaptureOptions): Promise<CapturedTree>;
  /** Captures a user's index (`--staged`) without running git in the user's repository. `indexFile`: another one than its own. */
  captureIndex(workTree: string, base: CommitRef, indexFile?: string): Promise<CapturedTree>;
  /** A new tree: `tree` with the paths of `from` put back as they are there (also when absent). */
  restorePaths(tree: string, from: string, paths: readonly string[]): Promise<string>;
  /** A new tree: `tree` with these bytes as an ordinary file at `path`, over whatever stands there or on the way. */
  putFile(tree: string, file: { readonly path: string; readonly bytes: Uint8Array }): Promise<string>;
  /** Facts about base against a captured tree. */
  changeFacts(
    base: CommitRef,
    captured: CapturedTree,
    pairs: readonly { path: string; text: string }[],
  ): Promise<ChangeFacts>;
  /** The exact patch of base against tree, applicable with `git apply --binary`. */
  patch(baseTree: string, tree: string): Promise<Uint8Array>;
  /** Writes a tree's files to an empty directory, raw bytes, modes 0644 and 0755, symlinks as they are. */
  materialize(tree: string, directory: string): Promise<void>;
  /** Writes the delta of `tree` over `base` as an overlay layer: changed files, and 0:0 character devices for deletions. */
  materializeDelta(base: string, tree: string, directory: string): Promise<void>;
  /** Commits with the fixed author, UTC date and no hooks; the same request gives the same id. */
  commit(request: CommitRequest): Promise<string>;
  /** Reads a commit's tree, parents and message back; null when it is not here. */
  readCommit(id: string): Promise<{ tree: string; parents: readonly string[]; message: string } | null>;
  listRemote(url: string, prefix: string): Promise<readonly RemoteRef[]>;
  /** Fetches one commit that the remote shows under `ref`, so that it can be read. */
  fetchRef(url: string, ref: string): Promise<string>;
  /** Create-only and atomic: never moves a branch that exists. */
  pushNew(url: string, branch: string, commit: string): Promise<PushResult>;
}

/** A user's work tree, as its files say. */
export interface WorkTree {
  readonly root: string;
  readonly gitDirectory: string;
  readonly shallow: boolean;
  /** The full ref that HEAD names, null when detached or damaged; its commit, null when there is none. */
  readonly head: { readonly ref: string | null; readonly id: string | null };
  /** For `CaptureOptions`: how the user's configuration has this tree written. */
  readonly crlf: boolean;
  readonly sparse: boolean;
}

/** Opens mirrors. `url` is https, ssh, file or a path; a path may be a work tree or a bare repository. */
export interface Git {
  version(): Promise<string>;
  /** Makes or updates the mirror of `url` in the cache, one lock a mirror, and says what HEAD is there. Full ids in `also` are fetched too. */
  openMirror(
    url: string,
    options?: { readonly signal?: AbortSignal; readonly also?: readonly string[] },
  ): Promise<{ mirror: Mirror; head: string | null }>;
  /** The mirror as it is in the cache, without asking the remote; null when there is none. */
  findMirror(url: string): Promise<Mirror | null>;
  /**
   * The work tree that holds `directory`, from the file system alone; null outside of one, as in a bare repository.
   * Throws `repository-unsupported` when git itself would take another directory for the work tree.
   */
  findWorkTree(directory: string): Promise<WorkTree | null>;
}
