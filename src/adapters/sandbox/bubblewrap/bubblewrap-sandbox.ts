import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import type { Room, RoomRequest, Sandbox, SandboxRequest, SandboxResult } from "../../../ports/sandbox.ts";
import { createControlGroup } from "./control-group.ts";
import { controlGroupName, findControlGroupPlace, type ControlGroupPlace } from "./control-group-place.ts";
import { probeSandbox, type ProbeResult } from "./probe.ts";
import { bubblewrapArguments } from "./profile.ts";
import { findSandboxPrograms, type SandboxPrograms } from "./programs.ts";
import { assertPlainTargets } from "./room-tree.ts";
import { findRoomLadder, openRoomOn, type OpenedRoom, type RoomLadder } from "./rooms.ts";
import { runInside } from "./run-inside.ts";
import { writeSystemFiles, type SystemFiles } from "./system-files.ts";

/** How the driver is set up. */
export interface BubblewrapOptions {
  /** A directory of the executor's own, outside every work tree; made with mode 0700 when absent. */
  readonly scratchDirectory: string;
  /** Where `bwrap` is looked for; the executor's PATH. */
  readonly searchPath: string;
  /** How long a killed tree may take to die; 30 s unless given. */
  readonly patienceMs?: number;
  /** Takes a lower rung of the work tree ladder than the machine could; for tests of the rungs. */
  readonly workTree?: RoomLadder["rung"];
}

/** Everything found out once about this machine. */
export interface BubblewrapSetup {
  readonly programs: SandboxPrograms;
  readonly system: SystemFiles;
  readonly scratch: string;
  readonly groups: ControlGroupPlace;
  readonly ladder: RoomLadder;
}

/** A sandbox of Linux namespaces, a system call filter and control groups, through bubblewrap 0.8 or newer. */
export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const rooms = new WeakMap<Room, OpenedRoom>();
  let setup: Promise<BubblewrapSetup> | null = null;
  let probe: Promise<ProbeResult> | null = null;
  let serial = 0;
  const ready = (): Promise<BubblewrapSetup> => (setup ??= setUp(options));

  const openRoom = async (request: RoomRequest): Promise<Room> => {
    const { ladder, programs, system, scratch } = await ready();
    serial += 1;
    const room = await openRoomOn(ladder, request, { programs, scratch, roomPoint: system.roomPoint, serial });
    rooms.set(room, room);
    return room;
  };

  const run = async (request: SandboxRequest): Promise<SandboxResult> => {
    serial += 1;
    return runOnce(await ready(), request, {
      room: request.room === undefined ? null : known(rooms, request.room),
      groupName: controlGroupName(serial),
      patienceMs: options.patienceMs ?? 30_000,
    });
  };

  const sandbox: Sandbox = {
    name: "bubblewrap",
    openRoom,
    run,
    probe: () => (probe ??= probeSandbox(ready, sandbox)),
  };
  return sandbox;
}

function known(rooms: WeakMap<Room, OpenedRoom>, room: Room): OpenedRoom {
  const found = rooms.get(room);
  if (found === undefined) throw new TypeError("the room was opened by another sandbox");
  return found;
}

async function setUp(options: BubblewrapOptions): Promise<BubblewrapSetup> {
  const programs = await findSandboxPrograms(options.searchPath);
  await mkdir(options.scratchDirectory, { recursive: true, mode: 0o700 });
  const scratch = await realpath(options.scratchDirectory);
  const system = await writeSystemFiles(scratch);
  const groups = await findControlGroupPlace();
  const ladder =
    options.workTree === undefined
      ? await findRoomLadder({ programs, scratch, roomPoint: system.roomPoint })
      : { rung: options.workTree, reason: "asked for" };
  return { programs, system, scratch, groups, ladder };
}

interface RunContext {
  readonly room: OpenedRoom | null;
  readonly groupName: string;
  readonly patienceMs: number;
}

async function runOnce(setup: BubblewrapSetup, request: SandboxRequest, context: RunContext): Promise<SandboxResult> {
  const { room, patienceMs } = context;
  const inRoom = request.mounts.flatMap(({ target }) =>
    target.startsWith("/repo/") ? [target.slice("/repo/".length)] : [],
  );
  if (room !== null) await assertPlainTargets(room.hostPath, inRoom);
  const roomSource = room?.innerPath ?? null;
  const bwrap = [
    setup.programs.bwrap,
    ...bubblewrapArguments(request, { system: setup.system, roomSource, hostHas: existsSync }),
  ];
  const command = room?.enter ? [setup.programs.nsenter ?? "nsenter", ...room.enter, "--", ...bwrap] : bwrap;
  const group = await createControlGroup(setup.groups, context.groupName, request.limits);
  try {
    const wrapper = {
      shell: setup.programs.shell,
      filter: setup.system.filter,
      groups: group?.directories ?? [],
      channel: request.channel !== undefined,
      command,
    };
    return await runInside({ request, wrapper, group, patienceMs });
  } finally {
    await group?.remove();
  }
}
