import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { TrueupError } from "../../../errors.ts";
import { gitFailure, isFull } from "./git-failure.ts";

/** How the programs of one `Git` are started: nothing of the caller's environment gets through but these. */
export interface GitSettings {
  readonly program: string;
  /** `PATH` of every git process. */
  readonly path: string;
  /** An empty directory of ours: `HOME`, and where git stands when it needs no place. */
  readonly home: string;
  /** The socket of the user's ssh agent, given to ssh remotes only. */
  readonly sshAgent: string | null;
}

/** Bytes for a program's standard input. */
export type GitInput = Uint8Array | AsyncIterable<Uint8Array>;

export interface GitCall {
  readonly args: readonly string[];
  /** More settings for this call, `name=value`. */
  readonly config?: readonly string[];
  /** The repository: always named, never found. Absent for commands that need none. */
  readonly gitDirectory?: string;
  /** More environment: identity, dates, a private index, an object directory. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: GitInput;
  /** The one transport this call may use; none when absent. */
  readonly protocol?: "file" | "https" | "ssh";
  /** Exit codes that are an answer; only 0 when absent. */
  readonly accept?: readonly number[];
  /** More bytes on standard output than this are an error. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** 1 GiB: the most one command may answer when the caller names no less. */
const defaultMaxBytes = 2 ** 30;
const maxErrorBytes = 65_536;

const pinnedConfig = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.excludesFile=/dev/null",
  "core.attributesFile=/dev/null",
  "core.quotePath=true",
  "safe.bareRepository=explicit",
  "protocol.allow=never",
  "gc.auto=0",
  "maintenance.auto=false",
  "credential.helper=",
];

/** Runs git to its end and returns its bytes. Throws the error that its exit code and words mean. */
export async function runGit(settings: GitSettings, call: GitCall): Promise<GitOutput> {
  const chunks: Buffer[] = [];
  let length = 0;
  const most = call.maxBytes ?? defaultMaxBytes;
  const end = await streamGit(settings, call, (chunk) => {
    length += chunk.length;
    if (length > most)
      throw new TrueupError("git-failed", { subject: commandOf(call), detail: `more than ${most} bytes of output` });
    chunks.push(chunk);
  });
  return { ...end, stdout: Buffer.concat(chunks, length) };
}

/** As `runGit`, handing over standard output as it comes. A throw in `onData` ends the process and is passed on. */
export async function streamGit(
  settings: GitSettings,
  call: GitCall,
  onData: (chunk: Buffer) => void,
): Promise<Omit<GitOutput, "stdout">> {
  if (isAborted(call)) throw new TrueupError("interrupted");
  const child = spawn(settings.program, gitArguments(call), {
    env: gitEnvironment(settings, call),
    cwd: settings.home,
    // Its own group, so that helpers it starts die with it, and no terminal to ask on.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const kill = (): void => killGroup(child.pid);
  call.signal?.addEventListener("abort", kill, { once: true });
  try {
    const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
    const stderr = collectErrors(child.stderr);
    const fed = feed(child.stdin, call.input);
    const read = readAll(child.stdout, onData, kill);
    const [end, failure] = await Promise.all([closed, read, fed]).then(
      ([ended, failed]) => [ended, failed] as const,
      spawnFailure,
    );
    if (isAborted(call)) throw new TrueupError("interrupted");
    if (failure !== null) throw failure;
    const [code, signal] = end;
    const accept = call.accept ?? [0];
    if (code === null || !accept.includes(code)) {
      const failed = gitFailure(commandOf(call), code ?? signal ?? "unknown", stderr.text());
      throw (await isFull(settings.home))
        ? new TrueupError("disk-full", { subject: settings.home, cause: failed })
        : failed;
    }
    return { code, stderr: stderr.text() };
  } finally {
    call.signal?.removeEventListener("abort", kill);
    if (child.exitCode === null && child.signalCode === null) kill();
  }
}

function isAborted(call: GitCall): boolean {
  return call.signal?.aborted === true;
}

function gitArguments(call: GitCall): string[] {
  const config = [
    ...pinnedConfig,
    ...(call.protocol === undefined ? [] : [`protocol.${call.protocol}.allow=always`]),
    ...(call.config ?? []),
  ];
  const repository = call.gitDirectory === undefined ? [] : [`--git-dir=${call.gitDirectory}`];
  return [
    ...config.flatMap((item) => ["-c", item]),
    "--literal-pathspecs",
    "--no-replace-objects",
    ...repository,
    ...call.args,
  ];
}

function gitEnvironment(settings: GitSettings, call: GitCall): Record<string, string> {
  return {
    PATH: settings.path,
    HOME: settings.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // Also for programs that git starts and that do not see its `-c`.
    GIT_ALLOW_PROTOCOL: call.protocol ?? "none",
    ...(call.protocol === "ssh" ? sshEnvironment(settings) : {}),
    ...call.env,
  };
}

function sshEnvironment(settings: GitSettings): Record<string, string> {
  const agent = settings.sshAgent === null ? {} : { SSH_AUTH_SOCK: settings.sshAgent };
  return { ...agent, GIT_SSH_COMMAND: "ssh -o BatchMode=yes" };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function collectErrors(stream: Readable): { text(): string } {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    if (length < maxErrorBytes) chunks.push(chunk.subarray(0, maxErrorBytes - length));
    length += chunk.length;
  });
  return { text: () => Buffer.concat(chunks).toString("utf8") };
}

/** A closed pipe only means that git ended early; its exit code tells why. */
async function feed(stdin: NodeJS.WritableStream, input: GitInput | undefined): Promise<void> {
  let open = true;
  stdin.on("error", () => (open = false));
  stdin.on("close", () => (open = false));
  if (input instanceof Uint8Array) stdin.end(input);
  else {
    for await (const chunk of input ?? []) {
      if (!open) break;
      if (!stdin.write(chunk)) await Promise.race([once(stdin, "drain"), once(stdin, "close")]).catch(() => undefined);
    }
    stdin.end();
  }
}

async function readAll(stdout: Readable, onData: (chunk: Buffer) => void, kill: () => void): Promise<Error | null> {
  let failure: Error | null = null;
  stdout.on("data", (chunk: Buffer) => {
    if (failure !== null) return;
    try {
      onData(chunk);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      kill();
    }
  });
  await once(stdout, "close");
  return failure;
}

function spawnFailure(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code;
  throw code === "ENOENT" ? new TrueupError("git-missing", { cause: error }) : error;
}

function commandOf(call: GitCall): string {
  return `git ${call.args[0] ?? ""}`;
}
