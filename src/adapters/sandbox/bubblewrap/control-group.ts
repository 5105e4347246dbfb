import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Limits } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";
import type { ControlGroupPlace } from "./control-group-place.ts";

/** The group of one run: joined by the wrapper before anything starts. */
export interface ControlGroup {
  /** Directories whose `cgroup.procs` the run's first process joins. */
  readonly directories: readonly string[];
  /** Processes alive in the group, by pid. */
  processes(): Promise<readonly number[]>;
  /** Kills all that is in the group; does not wait. */
  kill(): Promise<void>;
  /** How many processes the kernel killed for memory, and the peak in bytes (null where it is not counted). */
  readMemory(): Promise<{ readonly kills: number; readonly peak: number | null }>;
  /** Removes the group; the kernel may answer busy for a moment after the last exit. */
  remove(): Promise<void>;
}

type LimitFiles = Readonly<Record<"memory" | "pids", readonly (readonly [name: string, value: number])[]>>;

const limitFiles: Readonly<Record<"v1" | "v2", (limits: Limits) => LimitFiles>> = {
  v1: (limits: Limits) => ({
    memory: [
      ["memory.limit_in_bytes", limits.memory_bytes],
      ["memory.memsw.limit_in_bytes", limits.memory_bytes],
    ],
    pids: [["pids.max", limits.pids]],
  }),
  v2: (limits: Limits) => ({
    memory: [
      ["memory.max", limits.memory_bytes],
      ["memory.swap.max", 0],
      ["memory.oom.group", 1],
    ],
    pids: [["pids.max", limits.pids]],
  }),
};

/** Files a kernel may lack: without swap accounting there is none to limit. */
const optionalFiles = new Set<string>(["memory.memsw.limit_in_bytes", "memory.swap.max", "memory.oom.group"]);

async function writeLimits(directory: string, files: readonly (readonly [string, number])[]): Promise<void> {
  for (const [name, value] of files) {
    try {
      await writeFile(join(directory, name), String(value), { flag: "r+" });
    } catch (error) {
      if (!optionalFiles.has(name) || !isAbsent(error)) throw error;
    }
  }
}

const errorCode = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
const isAbsent = (error: unknown): boolean => errorCode(error) === "ENOENT";

/** Makes a group with the limits of a run; null where the machine has none. Throws `sandbox-failed`. */
export async function createControlGroup(
  place: ControlGroupPlace,
  name: string,
  limits: Limits,
): Promise<ControlGroup | null> {
  const files = limitFiles[place.version](limits);
  const wanted = [
    ...(place.memory === null ? [] : [{ directory: join(place.memory, name), files: files.memory }]),
    ...(place.pids === null ? [] : [{ directory: join(place.pids, name), files: files.pids }]),
  ];
  if (wanted.length === 0) return null;
  try {
    for (const each of wanted) {
      await mkdir(each.directory, { recursive: true });
      await writeLimits(each.directory, each.files);
    }
  } catch (cause) {
    throw new TrueupError("sandbox-failed", { subject: "control group", detail: String(cause), cause });
  }
  const directories = [...new Set(wanted.map((each) => each.directory))];
  return openGroup(directories, place.memory === null ? null : join(place.memory, name), place.version);
}

function openGroup(directories: readonly string[], memory: string | null, version: "v1" | "v2"): ControlGroup {
  return {
    directories,
    processes: () => readProcesses(directories),
    kill: () => killGroup(directories),
    readMemory: () => readMemory(memory, version),
    remove: async () => {
      for (const directory of directories) await removeGroup(directory);
    },
  };
}

async function readProcesses(directories: readonly string[]): Promise<number[]> {
  const lists = await Promise.all(directories.map((directory) => readFile(join(directory, "cgroup.procs"), "utf8")));
  const pids = lists.flatMap((text) =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map(Number),
  );
  return [...new Set(pids)];
}

async function killGroup(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    await writeFile(join(directory, "cgroup.kill"), "1", { flag: "r+" }).catch(() => undefined);
  }
  for (const pid of await readProcesses(directories)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (errorCode(error) !== "ESRCH") throw error;
    }
  }
}

async function readMemory(
  directory: string | null,
  version: "v1" | "v2",
): Promise<{ kills: number; peak: number | null }> {
  if (directory === null) return { kills: 0, peak: null };
  const [events, peakFile] =
    version === "v1" ? ["memory.oom_control", "memory.max_usage_in_bytes"] : ["memory.events", "memory.peak"];
  const text = await readFile(join(directory, events), "utf8");
  const kills = Number(/^oom_kill (\d+)$/mu.exec(text)?.[1] ?? 0);
  const peak = await readFile(join(directory, peakFile), "utf8").catch((error: unknown) => {
    if (isAbsent(error)) return null;
    throw error;
  });
  return { kills, peak: peak === null ? null : Number(peak) };
}

async function removeGroup(directory: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await rmdir(directory);
    } catch (error) {
      if (isAbsent(error)) return;
      if (attempt >= 200) throw new TrueupError("sandbox-survivor", { subject: directory, cause: error });
      await delay(10);
    }
  }
}
