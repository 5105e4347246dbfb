import { existsSync } from "node:fs";
import type { Room, RoomRequest, Sandbox, SandboxRequest, SandboxResult } from "../../../ports/sandbox.ts";
import { createControlGroup } from "./control-group.ts";
import { controlGroupName } from "./control-group-place.ts";
import { withOwnDevices, withOwnInput } from "./own-devices.ts";
import { probeSandbox, type ProbeResult } from "./probe.ts";
import { bubblewrapArguments } from "./profile.ts";
import { assertPlainTargets } from "./room-tree.ts";
import { openRoomOn, type OpenedRoom } from "./rooms.ts";
import { runInside } from "./run-inside.ts";
import { setUp, type BubblewrapOptions, type BubblewrapSetup } from "./setup.ts";

/** A sandbox of Linux namespaces, a system call filter and control groups, through bubblewrap 0.8 or newer. */
export function createBubblewrapSandbox(options: BubblewrapOptions): Sandbox {
  const rooms = new WeakMap<Room, OpenedRoom>();
  let setup: Promise<BubblewrapSetup> | null = null;
  let probe: Promise<ProbeResult> | null = null;
  const ready = (): Promise<BubblewrapSetup> => (setup ??= setUp(options));

  const openRoom = async (request: RoomRequest): Promise<Room> => {
    const { ladder, ...setup } = await ready();
    const opened = await openRoomOn(ladder, request, { ...setup, ...setup.system });
    const close = async (): Promise<void> => {
      try {
        await opened.close();
      } finally {
        await request.onClosed?.();
      }
    };
    const room = { ...opened, close };
    rooms.set(room, room);
    return room;
  };

  const run = async (request: SandboxRequest): Promise<SandboxResult> => {
    return runOnce(await ready(), request, {
      room: request.room === undefined ? null : known(rooms, request.room),
      groupName: controlGroupName(),
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
  const group = await createControlGroup(setup.groups, context.groupName, request.limits);
  try {
    const wrapper = {
      shell: setup.programs.shell,
      filter: setup.system.filter,
      groups: group?.directories ?? [],
      channel: request.channel !== undefined,
      command: sandboxCommand(setup, request, room),
    };
    return await runInside({ request, wrapper, group, patienceMs });
  } finally {
    await group?.remove();
  }
}

/** bubblewrap with its arguments, behind what leads into the room's namespaces or makes some with own device nodes. */
function sandboxCommand(setup: BubblewrapSetup, request: SandboxRequest, room: OpenedRoom | null): string[] {
  const { programs, system } = setup;
  const makesDevices = room?.enter ? false : setup.ownDevices;
  const devicePoint = makesDevices || room?.hasDevices ? system.devicePoint : null;
  const context = { system, roomSource: room?.innerPath ?? null, devicePoint, hostHas: existsSync };
  const bwrap = [programs.bwrap, ...bubblewrapArguments(request, context)];
  if (room?.enter) {
    const inner = room.hasDevices ? withOwnInput(system.devicePoint, bwrap) : bwrap;
    return [programs.nsenter ?? "nsenter", ...room.enter, "--", ...inner];
  }
  return makesDevices ? withOwnDevices(programs.unshare ?? "unshare", system.devicePoint, bwrap) : bwrap;
}
