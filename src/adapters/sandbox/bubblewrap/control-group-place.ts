import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { decodeControlGroupLayout, type ControlGroupLayout } from "./control-group-layout.ts";

/** The parents under which runs get their groups; null for a limit that cannot be set here. */
export interface ControlGroupPlace {
  readonly kind: ControlGroupLayout["kind"];
  readonly version: "v1" | "v2";
  readonly memory: string | null;
  readonly pids: string | null;
}

const prefix = "trueup-";

/** A name of its own that carries its maker's pid, so that a later executor can tell what was left behind. */
export const controlGroupName = (): string => `${prefix}${process.pid}-${randomUUID()}`;

/** Finds where groups can really be made: by making one there and joining it with a process that ends at once. */
export async function findControlGroupPlace(): Promise<ControlGroupPlace> {
  const [mountinfo, cgroup] = await Promise.all([
    readFile("/proc/self/mountinfo", "utf8").catch(() => ""),
    readFile("/proc/self/cgroup", "utf8").catch(() => ""),
  ]);
  const layout = decodeControlGroupLayout(mountinfo, cgroup);
  const version = layout.kind === "v2" ? "v2" : "v1";
  const memory = await firstUsable(layout.memory, version === "v1" ? "memory.limit_in_bytes" : "memory.max");
  const pids = await firstUsable(layout.pids, "pids.max");
  for (const parent of new Set([memory, pids])) if (parent !== null) await sweep(parent);
  return { kind: memory === null && pids === null ? "none" : layout.kind, version, memory, pids };
}

async function firstUsable(parents: readonly string[], limitFile: string): Promise<string | null> {
  for (const parent of parents) if (await isUsable(parent, limitFile)) return parent;
  return null;
}

async function isUsable(parent: string, limitFile: string): Promise<boolean> {
  const directory = join(parent, `${prefix}${process.pid}-${randomUUID()}`);
  try {
    await mkdir(directory, { recursive: true });
  } catch {
    return false;
  }
  const usable = (await exists(join(directory, limitFile))) && (await canJoin(directory));
  await removeEmpty(directory);
  return usable;
}

async function canJoin(directory: string): Promise<boolean> {
  const child = spawn("/bin/sh", ["-c", 'echo $$ >"$1/cgroup.procs"', "sh", directory], { stdio: "ignore", env: {} });
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

/** Groups of executors that were killed; only empty ones can be removed, so nothing alive is touched. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^trueup-(\d+)-/u.exec(name)?.[1];
    if (pid !== undefined && !(await exists(`/proc/${pid}`))) await removeEmpty(join(parent, name));
  }
}

/** Tried a few times, since the kernel may still count the process that just ended; what stays is swept next time. */
async function removeEmpty(directory: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const done = await rmdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== "EBUSY",
    );
    if (done) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
