import { spawn } from "node:child_process";

/** How `ssh-keygen` ended; `code` null when it could not be started, was stopped, or ran too long. */
export interface SshKeygenEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SshKeygenCall {
  readonly args: readonly string[];
  readonly input: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Null: as long as a person needs. */
  readonly timeoutMs: number | null;
  /** Whether its words go to the person at once. */
  readonly showWords: boolean;
}

const mostBytes = 1 << 20;

/** Runs `ssh-keygen` to its end with exactly this environment. Never rejects: what went wrong stands in `stderr`. */
export function runSshKeygen(call: SshKeygenCall): Promise<SshKeygenEnd> {
  return new Promise((resolve) => {
    const child = spawn("ssh-keygen", call.args, {
      env: { ...call.environment, LC_ALL: "C" },
      stdio: ["pipe", "pipe", call.showWords ? "inherit" : "pipe"],
      ...(call.timeoutMs === null ? {} : { timeout: call.timeoutMs, killSignal: "SIGKILL" }),
    });
    const streams = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        if (streams[name].length < mostBytes) streams[name] += text;
      });
    child.on("error", (error) => resolve({ ...streams, code: null, stderr: error.message }));
    child.on("close", (code, signal) => {
      resolve({ ...streams, code, stderr: signal === null ? streams.stderr : `it was ended by ${signal}` });
    });
    // A process that is gone before it read everything says why by its exit.
    child.stdin?.on("error", () => undefined).end(call.input);
  });
}
