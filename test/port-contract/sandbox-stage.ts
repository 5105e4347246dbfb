import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Limits, Room, RoomRequest, Sandbox, SandboxRequest, SandboxResult } from "../../src/ports/sandbox.ts";

/** Generous limits: a test that is about one sets that one. */
export const roomy: Limits = {
  wall_ms: 60_000,
  idle_ms: null,
  memory_bytes: 1_073_741_824,
  pids: 256,
  output_bytes: 16_777_216,
};

/** A run's result with its streams as text, for comparison. */
export interface Played extends SandboxResult {
  readonly out: string;
  readonly err: string;
}

/** One sandbox, one scratch directory of the host, and short ways to use them. */
export interface SandboxStage {
  readonly sandbox: Sandbox;
  /** A directory of the host that no sandbox sees unless it is mounted. */
  readonly directory: string;
  run(argv: readonly string[], more?: Partial<SandboxRequest>): Promise<Played>;
  sh(script: string, more?: Partial<SandboxRequest>): Promise<Played>;
  perl(script: string, more?: Partial<SandboxRequest>): Promise<Played>;
  /** Writes files below a new directory of the host and returns it. */
  tree(files: Readonly<Record<string, string>>): Promise<string>;
  open(request: Partial<RoomRequest> & { readonly base: string }): Promise<Room>;
  close(): Promise<void>;
}

export async function openSandboxStage(create: (scratch: string) => Sandbox): Promise<SandboxStage> {
  const directory = await mkdtemp(join(tmpdir(), "trueup-sandbox-"));
  const sandbox = create(join(directory, "scratch"));
  const rooms: Room[] = [];
  const run: SandboxStage["run"] = async (argv, more = {}) => {
    const env = { PATH: "/usr/bin:/bin", HOME: "/home/u" };
    const request = { phase: "test", argv, cwd: "/repo", env, mounts: [], limits: roomy, proc: "real" } as const;
    const result = await sandbox.run({ ...request, ...more });
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
    return { ...result, out: text(result.stdout), err: text(result.stderr) };
  };
  return {
    sandbox,
    directory,
    run,
    sh: (script, more) => run(["sh", "-c", script], more),
    perl: (script, more) => run(["perl", "-e", script], more),
    tree: async (files) => {
      const root = await mkdtemp(join(directory, "tree-"));
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }
      return root;
    },
    open: async (request) => {
      const room = await sandbox.openRoom({ deltas: [], mountPoints: [], bytes: 16_777_216, ...request });
      rooms.push(room);
      return room;
    },
    close: async () => {
      for (const room of rooms) await room.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The pids of this machine's processes whose arguments hold a text. */
export async function findProcesses(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/u.test(name))) {
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (words.includes(text)) found.push(pid);
  }
  return found;
}
