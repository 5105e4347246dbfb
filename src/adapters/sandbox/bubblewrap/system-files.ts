import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { filterArchitecture, seccompProgram } from "./seccomp-program.ts";

/** What every sandbox of this driver shares: synthetic files, the filter, and how the system is laid out. */
export interface SystemFiles {
  readonly etc: string;
  readonly proc: string;
  readonly filter: string;
  /** Empty directory on which each room's holder mounts its own file systems, privately. */
  readonly roomPoint: string;
  /** Empty directory for device nodes of our own, mounted on in the same way. */
  readonly devicePoint: string;
  /** Top-level directories of the system: a link target, or null where it is a real directory. */
  readonly topLevel: ReadonlyMap<string, string | null>;
}

/** Name resolution from files only, so that a lookup fails at once as ENOTFOUND. */
const etcFiles: Readonly<Record<string, string>> = {
  hosts: "127.0.0.1 localhost sandbox\n::1 localhost ip6-localhost ip6-loopback\n",
  passwd:
    "root:x:0:0:root:/root:/bin/sh\nu:x:1000:1000:u:/home/u:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n",
  group: "root:x:0:\nu:x:1000:\nnogroup:x:65534:\n",
  "nsswitch.conf": "passwd: files\ngroup: files\nshadow: files\nhosts: files\nservices: files\nprotocols: files\n",
};

/** Static stand-ins for the files of /proc that runtimes read; nothing in them is about this machine but its size. */
export function syntheticProcFiles(processors: number): Readonly<Record<string, string>> {
  const each = Array.from({ length: processors }, (_, index) => index);
  const kB = (name: string, value: number): string => `${name}:${String(value).padStart(15)} kB\n`;
  return {
    cpuinfo: each
      .map((n) => `processor\t: ${n}\nmodel name\t: sandbox\ncpu MHz\t\t: 2000.000\ncache size\t: 4096 KB\n\n`)
      .join(""),
    stat: `cpu  0 0 0 0 0 0 0 0 0 0\n${each.map((n) => `cpu${n} 0 0 0 0 0 0 0 0 0 0\n`).join("")}intr 0\nctxt 0\nbtime 0\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n`,
    meminfo:
      kB("MemTotal", 8_388_608) +
      kB("MemFree", 4_194_304) +
      kB("MemAvailable", 6_291_456) +
      kB("SwapTotal", 0) +
      kB("SwapFree", 0),
    version: "Linux version 6.0.0 (sandbox) #1 SMP\n",
    filesystems: "nodev\ttmpfs\nnodev\tproc\n\text4\n",
    loadavg: "0.00 0.00 0.00 1/1 1\n",
    uptime: "1000.00 1000.00\n",
    "self/stat": `2 (sandbox) R 1 2 2 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 1073741824 16384 18446744073709551615${" 0".repeat(27)}\n`,
  };
}

async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text, { mode: 0o444 });
  }
}

async function readTopLevel(): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]) {
    const entry = await lstat(`/${name}`).catch(() => null);
    if (entry?.isSymbolicLink()) found.set(`/${name}`, await readlink(`/${name}`));
    else if (entry?.isDirectory()) found.set(`/${name}`, null);
  }
  return found;
}

/**
 * Writes the shared files under `scratch` once, named by their content and moved into place whole, so that any number of
 * executors may share the directory. Throws `processor-unknown`.
 */
export async function writeSystemFiles(scratch: string): Promise<SystemFiles> {
  const filter = seccompProgram(filterArchitecture(process.arch));
  const proc = syntheticProcFiles(availableParallelism());
  const digest = createHash("sha256")
    .update(JSON.stringify([etcFiles, proc]))
    .update(filter)
    .digest("hex");
  const root = join(scratch, `system-2-${digest.slice(0, 16)}`);
  if (!(await exists(root))) {
    const fresh = await mkdtemp(join(scratch, "new-"));
    await writeAll(join(fresh, "etc"), etcFiles);
    await writeAll(join(fresh, "proc"), proc);
    await writeFile(join(fresh, "filter.bpf"), filter, { mode: 0o444 });
    await mkdir(join(fresh, "room"));
    await mkdir(join(fresh, "dev"));
    await rename(fresh, root).catch(async (error: unknown) => {
      await rm(fresh, { recursive: true, force: true });
      if (!(await exists(root))) throw error;
    });
  }
  return {
    etc: join(root, "etc"),
    proc: join(root, "proc"),
    filter: join(root, "filter.bpf"),
    roomPoint: join(root, "room"),
    devicePoint: join(root, "dev"),
    topLevel: await readTopLevel(),
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
