import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentJob, SandboxMount, SandboxResult } from "../../../ports/index.ts";
import { createLineReader } from "./line-reader.ts";
import { withLocalGit } from "./local-git.ts";

/** Where the agent finds its task; also in `TRUEUP_TASK_FILE`. */
export const taskFile = "/opt/trueup/task.md";

const gibibyte = 2 ** 30;
const mebibyte = 2 ** 20;

/** What a driver adds to the run. */
export interface AgentProgram {
  readonly argv: readonly string[];
  /** Programs of the driver, read-only. */
  readonly mounts: readonly SandboxMount[];
  /** Text that the program reads, by its path inside. */
  readonly files: Readonly<Record<string, string>>;
  readonly onLine: (stream: "stdout" | "stderr", line: string) => void;
}

function environment(job: AgentJob): Record<string, string> {
  return {
    PATH: [...job.toolchain.path, "/usr/bin", "/bin", "/repo/node_modules/.bin"].join(":"),
    HOME: "/home/u",
    TMPDIR: "/tmp",
    LANG: "C.UTF-8",
    TZ: "UTC",
    GIT_TERMINAL_PROMPT: "0",
    TRUEUP_TASK_FILE: taskFile,
  };
}

async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<SandboxMount[]> {
  const writes = Object.entries(files).map(async ([target, text], index): Promise<SandboxMount> => {
    const source = join(directory, String(index));
    await writeFile(source, text, { mode: 0o444 });
    return { kind: "read-only", source, target };
  });
  return Promise.all(writes);
}

async function run(job: AgentJob, program: AgentProgram, directory: string): Promise<SandboxResult> {
  const files = await writeFiles(directory, { [taskFile]: job.prompt, ...program.files });
  const readers = {
    stdout: createLineReader((line) => program.onLine("stdout", line)),
    stderr: createLineReader((line) => program.onLine("stderr", line)),
  };
  const result = await job.sandbox.run({
    phase: "agent",
    argv: withLocalGit(program.argv, job.dependencies.mountPoints),
    cwd: "/repo",
    env: environment(job),
    room: job.room,
    roomAccess: "writable",
    mounts: [...job.dependencies.mounts, ...job.toolchain.mounts, ...program.mounts, ...files],
    limits: {
      wall_ms: job.wall_ms,
      idle_ms: job.idle_ms,
      memory_bytes: 4 * gibibyte,
      pids: 512,
      output_bytes: 16 * mebibyte,
    },
    proc: "real",
    ...(job.signal === undefined ? {} : { signal: job.signal }),
    onOutput: (stream, chunk) => readers[stream].add(chunk),
  });
  readers.stdout.end();
  readers.stderr.end();
  return result;
}

/** Runs an agent's program over the job's work tree: no network, no credential, its environment complete and ours. */
export async function runInSandbox(job: AgentJob, program: AgentProgram): Promise<SandboxResult> {
  const directory = await mkdtemp(join(tmpdir(), "trueup-agent-"));
  try {
    await chmod(directory, 0o700);
    return await run(job, program, directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
