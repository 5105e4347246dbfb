import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ResolvedToolchain, Sandbox, SandboxMount, SandboxRequest, SandboxResult } from "../../../ports/index.ts";

/** One run of a package manager in its sandbox. */
export interface InstallRun {
  readonly sandbox: Sandbox;
  readonly toolchain: ResolvedToolchain;
  /** The directory on the host in which one installation is built: `project/` and `home/` (home and cache). */
  readonly build: string;
  readonly wallMs: number;
  /** Further programs, read-only. */
  readonly mounts?: readonly SandboxMount[];
  /** Further variables: the manager's own settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const projectInside = "/install/project";
/** The home directory inside, where caches go. */
export const homeInside = "/install/home";
const socketInside = "/run/trueup-fetch";
const relayInside = "/opt/trueup/fetch-relay.cjs";
const relayPort = 48_730;

/** Where a package manager finds the registry inside: the relay on the loopback address. */
export const proxyOrigin = `http://127.0.0.1:${relayPort}`;

/** Runs a package manager whose only way out is the socket in `socketDirectory`. */
export function runThroughDoor(
  run: InstallRun,
  socketDirectory: string,
  argv: readonly string[],
): Promise<SandboxResult> {
  const relay = fileURLToPath(new URL("../../../witness/fetch-relay.cjs", import.meta.url));
  return run.sandbox.run({
    ...requestOf(run, [
      { kind: "read-only", source: socketDirectory, target: socketInside },
      { kind: "read-only", source: relay, target: relayInside },
    ]),
    phase: "fetch",
    argv: [run.toolchain.node, relayInside, `${socketInside}/registry.sock`, String(relayPort), ...argv],
  });
}

/** Runs a package manager without any network, for install scripts. */
export function runWithoutNetwork(run: InstallRun, argv: readonly string[]): Promise<SandboxResult> {
  return run.sandbox.run({ ...requestOf(run, []), phase: "scripts", argv });
}

function requestOf(run: InstallRun, mounts: readonly SandboxMount[]): Omit<SandboxRequest, "phase" | "argv"> {
  return {
    cwd: projectInside,
    env: {
      PATH: [...run.toolchain.path, "/usr/bin", "/bin"].join(":"),
      HOME: homeInside,
      TMPDIR: "/tmp",
      LANG: "C.UTF-8",
      TZ: "UTC",
      CI: "1",
      ...run.env,
    },
    mounts: [
      ...run.toolchain.mounts,
      ...(run.mounts ?? []),
      { kind: "writable", source: join(run.build, "project"), target: projectInside },
      { kind: "writable", source: join(run.build, "home"), target: homeInside },
      ...mounts,
    ],
    limits: { wall_ms: run.wallMs, idle_ms: null, memory_bytes: 4 * 2 ** 30, pids: 1024, output_bytes: 16 * 2 ** 20 },
    proc: "real",
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  };
}

/** Both streams as text, in the order a manager's errors are looked for. */
export function outputOf(result: SandboxResult): string {
  const decoder = new TextDecoder();
  return `${decoder.decode(result.stdout)}\n${decoder.decode(result.stderr)}`;
}
