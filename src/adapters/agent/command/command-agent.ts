import { accessSync, constants, statSync } from "node:fs";
import { basename } from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { Agent, AgentJob, AgentResult, SandboxMount } from "../../../ports/index.ts";
import { decideStop } from "../shared/decide-stop.ts";
import { runInSandbox } from "../shared/run-in-sandbox.ts";

/** Bytes of the end of standard output that are the agent's claim. */
const claimBytes = 4096;

export interface CommandAgentOptions {
  /** Program and arguments. A bare name is looked up inside; an absolute path outside `/usr` is a file of this machine. */
  readonly argv: readonly string[];
}

interface PlacedProgram {
  readonly argv: readonly string[];
  readonly mounts: readonly SandboxMount[];
}

function expectProgram(path: string): void {
  const detail = ((): string | null => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "there is no such file";
    if (!stats.isFile()) return "not a regular file";
    try {
      accessSync(path, constants.X_OK);
      return null;
    } catch {
      return "not executable";
    }
  })();
  if (detail !== null) throw new TrueupError("agent-invalid", { subject: path, detail });
}

/** Binds a program of this machine, that file alone, where the agent can run it and not change it. */
function place(argv: readonly string[]): PlacedProgram {
  const [program, ...rest] = argv;
  if (program === undefined) throw new TrueupError("agent-invalid", { detail: "names no program" });
  if (!program.startsWith("/") || /^\/(?:usr|bin)\//u.test(program)) return { argv, mounts: [] };
  expectProgram(program);
  const target = `/opt/trueup/agent/${basename(program)}`;
  return { argv: [target, ...rest], mounts: [{ kind: "read-only", source: program, target }] };
}

/** The last 4 KiB of what the agent printed, from a character's start. */
export function claimOf(stdout: Uint8Array): string {
  const text = new TextDecoder("utf-8").decode(stdout).trimEnd();
  const bytes = new TextEncoder().encode(text);
  const tail = new TextDecoder("utf-8").decode(bytes.subarray(Math.max(0, bytes.length - claimBytes)));
  return tail.replace(/^\ufffd+/u, "").trim();
}

async function run(program: PlacedProgram, job: AgentJob): Promise<AgentResult> {
  const lines: string[] = [];
  const result = await runInSandbox(job, {
    ...program,
    files: {},
    onLine(stream, text) {
      lines.push(JSON.stringify({ type: stream, text }));
      job.onMessage?.(text);
    },
  });
  return {
    facts: {
      driver: "command",
      stop: decideStop(result.exit),
      exit: result.exit.code,
      duration_ms: result.duration_ms,
    },
    claim: claimOf(result.stdout),
    transcript: lines.map((line) => `${line}\n`).join(""),
  };
}

/** Any program as an agent: it finds its task in the file `TRUEUP_TASK_FILE`, and what it prints last is its claim. Throws `agent-invalid`. */
export function createCommandAgent(options: CommandAgentOptions): Agent {
  const program = place(options.argv);
  return { driver: "command", run: (job) => run(program, job) };
}
