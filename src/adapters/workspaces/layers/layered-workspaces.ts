import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type {
  CacheHolds,
  Mirror,
  Room,
  RoomRequest,
  Sandbox,
  WorkspaceRequest,
  Workspaces,
} from "../../../ports/index.ts";
import { openOwnedRoom, sweepDeadRooms } from "./owned-rooms.ts";

export interface LayeredWorkspacesOptions {
  /** Holds `bases/`: one read-only checkout a tree. */
  readonly cacheDirectory: string;
  /** Holds the deltas of open rooms; emptied as they close. */
  readonly scratchDirectory: string;
  readonly holds: CacheHolds;
  readonly sandbox: Sandbox;
  /** Size of a room's writable layer in bytes. */
  readonly roomBytes: number;
}

/** Work trees as layers: a cached checkout of the base tree, the delta to the wanted tree, and a throw-away writable layer. */
export function createLayeredWorkspaces(options: LayeredWorkspacesOptions): Workspaces {
  return {
    async open(request) {
      const release = await options.holds.hold("bases", request.baseTree);
      try {
        return await openRoom(options, request, release);
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}

/** The base stays held until the room's layers are no longer in use. */
async function openRoom(
  options: LayeredWorkspacesOptions,
  { mirror, baseTree, tree, mountPoints }: WorkspaceRequest,
  release: () => Promise<void>,
): Promise<Room> {
  const base = await ensureCheckout(options.cacheDirectory, mirror, baseTree);
  await mkdir(options.scratchDirectory, { recursive: true, mode: 0o700 });
  await sweepDeadRooms(options.scratchDirectory);
  const scratch = await openOwnedRoom(options.scratchDirectory);
  const drop = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  try {
    const deltas = tree === baseTree ? [] : [path.join(scratch, "delta")];
    for (const delta of deltas) await mirror.materializeDelta(baseTree, tree, delta);
    const onClosed: RoomRequest["onClosed"] = async () => void (await Promise.all([drop(), release()]));
    return await options.sandbox.openRoom({ base, deltas, mountPoints, bytes: options.roomBytes, onClosed });
  } catch (error) {
    await drop();
    throw error;
  }
}

/** The checkout of `tree` in the cache; made beside and renamed, so a half-written one is never used. */
async function ensureCheckout(cacheDirectory: string, mirror: Mirror, tree: string): Promise<string> {
  const home = path.join(cacheDirectory, "bases");
  const ready = path.join(home, tree);
  if (await isDirectory(ready)) return ready;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const part = path.join(home, `${tree}.${randomBytes(6).toString("hex")}.part`);
  try {
    await mkdir(part, { mode: 0o755 });
    await mirror.materialize(tree, part);
    await rename(part, ready);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    if (!(await isDirectory(ready))) throw error;
  }
  return ready;
}

async function isDirectory(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
