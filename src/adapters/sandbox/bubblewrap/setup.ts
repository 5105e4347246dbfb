import { mkdir, realpath } from "node:fs/promises";
import { findControlGroupPlace, type ControlGroupPlace } from "./control-group-place.ts";
import { canOwnDevices } from "./own-devices.ts";
import { findSandboxPrograms, type SandboxPrograms } from "./programs.ts";
import { findRoomLadder, type RoomLadder } from "./rooms.ts";
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
  /** Whether runs get device nodes of their own. */
  readonly ownDevices: boolean;
  readonly groups: ControlGroupPlace;
  readonly ladder: RoomLadder;
}

/** Finds out what this machine can do. Throws `sandbox-missing`, `processor-unknown`. */
export async function setUp(options: BubblewrapOptions): Promise<BubblewrapSetup> {
  const programs = await findSandboxPrograms(options.searchPath);
  await mkdir(options.scratchDirectory, { recursive: true, mode: 0o700 });
  const scratch = await realpath(options.scratchDirectory);
  const system = await writeSystemFiles(scratch);
  const groups = await findControlGroupPlace();
  const ownDevices = await canOwnDevices(programs, system.devicePoint);
  const ladder =
    options.workTree === undefined
      ? await findRoomLadder({ programs, scratch, ...system, ownDevices })
      : { rung: options.workTree, reason: "asked for" };
  return { programs, system, scratch, ownDevices, groups, ladder };
}
