import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Room, RoomRequest } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";
import { openCopy } from "./copy-room.ts";
import { openOverlay, type OverlayOptions, type OverlayRung } from "./overlay-room.ts";
import type { SandboxPrograms } from "./programs.ts";
import { applyDeletions, createMountPoints } from "./room-tree.ts";

/** A room and the way into it for the driver. */
export interface OpenedRoom extends Room {
  /** Where bubblewrap, started through `enter`, finds the tree. */
  readonly innerPath: string;
  /** Arguments of `nsenter`, null when the tree lies in the executor's own mount namespace. */
  readonly enter: readonly string[] | null;
  /** Whether the namespaces it leads into already have device nodes of their own. */
  readonly hasDevices: boolean;
}

/** Copy-on-write ladder: what this machine can do, and why not better. */
export interface RoomLadder {
  readonly rung: OverlayRung | "copy";
  readonly reason: string;
}

/** Where rooms are made. */
export interface RoomContext {
  readonly programs: SandboxPrograms;
  readonly roomPoint: string;
  readonly devicePoint: string;
  readonly ownDevices: boolean;
  readonly scratch: string;
}

/** Tries the rungs on a tiny tree, best first; a rung counts only if a removed and remade directory is really empty. */
export async function findRoomLadder(context: RoomContext): Promise<RoomLadder> {
  const rungs: readonly OverlayRung[] = process.getuid?.() === 0 ? ["overlay-root", "overlay-user"] : ["overlay-user"];
  const reasons: string[] = [];
  for (const rung of rungs) {
    const failure = await tryOverlay({ ...context, rung });
    if (failure === null) return { rung, reason: reasons.join("; ") };
    reasons.push(`${rung}: ${failure}`);
  }
  return { rung: "copy", reason: reasons.join("; ") };
}

async function tryOverlay(options: OverlayOptions & RoomContext): Promise<string | null> {
  const base = await mkdtemp(join(options.scratch, "try-"));
  try {
    await mkdir(join(base, "directory"));
    await writeFile(join(base, "directory", "file"), "base");
    const hold = await openOverlay({ base, deltas: [], mountPoints: [], bytes: 1_048_576 }, options);
    try {
      return await tryOpaque(join(hold.hostPath, "directory"));
    } finally {
      await hold.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function tryOpaque(directory: string): Promise<string | null> {
  await rm(directory, { recursive: true });
  await mkdir(directory);
  const left = await readFile(join(directory, "file"), "utf8").catch(() => null);
  return left === null ? null : "a removed file came back";
}

/** Opens a room on one rung. Throws `sandbox-failed`, `disk-full`, `mount-point-taken`. */
export async function openRoomOn(ladder: RoomLadder, request: RoomRequest, context: RoomContext): Promise<OpenedRoom> {
  const opened =
    ladder.rung === "copy" ? await copied(request, context) : await overlaid(ladder.rung, request, context);
  try {
    await applyDeletions(opened.hostPath, request.deltas);
    await createMountPoints(opened.hostPath, request.mountPoints);
    return opened;
  } catch (error) {
    await opened.close();
    if ((error as NodeJS.ErrnoException).code === "ENOSPC")
      throw new TrueupError("disk-full", { subject: "work tree", cause: error });
    throw error;
  }
}

async function overlaid(rung: OverlayRung, request: RoomRequest, context: RoomContext): Promise<OpenedRoom> {
  const hold = await openOverlay(request, { ...context, rung });
  return { ...hold, kind: rung, hasDevices: rung === "overlay-root" && context.ownDevices };
}

async function copied(request: RoomRequest, context: RoomContext): Promise<OpenedRoom> {
  const copy = await openCopy(request, join(context.scratch, "rooms"));
  return { hostPath: copy.path, innerPath: copy.path, enter: null, hasDevices: false, kind: "copy", close: copy.close };
}
