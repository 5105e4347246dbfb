import type { DependencyFacts } from "../core/facts/index.ts";
import type { TreeEntry } from "./git.ts";
import type { Room } from "./sandbox.ts";
import type { ResolvedToolchain } from "./toolchain.ts";
import type { SandboxMount } from "./sandbox.ts";

/** Reads files of the tree whose dependencies are wanted; null when there is no such file. */
export interface TreeReader {
  readonly tree: string;
  readonly entries: readonly TreeEntry[];
  read(path: string): Promise<Uint8Array | null>;
}

/** A frozen store, locked against eviction until `release`. */
export interface InstalledDependencies {
  readonly facts: readonly DependencyFacts[];
  /** Read-only mounts that put the store's `node_modules` into `/repo`, and the tmpfs caches inside them, in order; then the manager's program. */
  readonly mounts: readonly SandboxMount[];
  /** Directories that must exist in the work tree as mount points, relative to its root. */
  readonly mountPoints: readonly string[];
  /** Directories for `PATH` inside: the package manager's own program, where scripts call it. */
  readonly path: readonly string[];
  /** Version of an installed package as seen from a directory of the repository, null when it is not there. */
  packageVersion(cwd: string, name: string): Promise<string | null>;
  /** The path inside the sandbox of a package's bin, resolved as node does from `cwd` upwards; null when it is not there. */
  resolveBin(cwd: string, bin: string): Promise<string | null>;
  release(): Promise<void>;
}

/** The version that the lockfiles give a package as seen from a directory of the repository; null when they give none. */
export type LockedVersions = (cwd: string, name: string) => string | null;

export interface InstallRequest {
  readonly reader: TreeReader;
  readonly toolchain: ResolvedToolchain;
  /** Package roots to install, relative to the repository root; `""` is the root itself. Only those with a manifest count. */
  readonly roots: readonly string[];
  readonly signal?: AbortSignal;
  /** Called once, after the lockfiles were read and before anything is fetched; what it throws ends the install. */
  readonly onLocked?: (locked: LockedVersions) => void;
  readonly onProgress?: (message: string) => void;
  /** The work tree, for packages that must see it; most need none. */
  readonly room?: Room;
}

/** Installs from the committed lockfile only. Throws the `lockfile-*`, `*-dependency` and `bootstrap-failed` errors. */
export interface Dependencies {
  install(request: InstallRequest): Promise<InstalledDependencies>;
}
