import type { Mirror } from "./git.ts";
import type { Room } from "./sandbox.ts";

export interface WorkspaceRequest {
  readonly mirror: Mirror;
  /** The tree whose checkout is kept in the cache and stacked below. */
  readonly baseTree: string;
  /** The tree the room shows; equal to `baseTree` for an untouched base. */
  readonly tree: string;
  /** Directories that must exist as mount points, relative to the root. */
  readonly mountPoints: readonly string[];
}

/** Opens fresh, private work trees for one git tree each; the cached checkout below is never writable. */
export interface Workspaces {
  open(request: WorkspaceRequest): Promise<Room>;
}
