import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TrueupError } from "../../../errors.ts";
import type { ResolvedToolchain, Sandbox, SandboxMount, SandboxRequest, SandboxResult } from "../../../ports/index.ts";

/** The directory on the host in which one installation is built: `project/` and `npm/` (home and cache). */
export interface BuildDirectory {
  readonly path: string;
}

export interface NpmRun {
  readonly sandbox: Sandbox;
  readonly toolchain: ResolvedToolchain;
  readonly build: BuildDirectory;
  readonly wallMs: number;
  readonly signal?: AbortSignal;
}

const projectInside = "/install/project";
const homeInside = "/install/npm";
const socketInside = "/run/trueup-fetch";
const relayInside = "/opt/trueup/fetch-relay.cjs";
const relayPort = 48_730;

/** Where npm finds the registry inside: the relay on the loopback address. */
export const proxyOrigin = `http://127.0.0.1:${relayPort}`;

/** Every flag that keeps npm to what it was given: no user or global configuration, no audit, no notice, no retry of its own. */
const fixedFlags = [
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--no-progress",
  "--color=false",
  "--loglevel=warn",
  "--logs-max=0",
  "--fetch-retries=0",
  "--userconfig=/nonexistent/user",
  "--globalconfig=/nonexistent/global",
  `--cache=${homeInside}/cache`,
];

/** Runs `npm ci` without scripts, its only way out the socket in `socketDirectory`. */
export function runNpmCi(run: NpmRun, socketDirectory: string, flags: readonly string[]): Promise<SandboxResult> {
  const relay = fileURLToPath(new URL("../../../witness/fetch-relay.cjs", import.meta.url));
  const npm = npmArgv(run.toolchain, [
    "ci",
    "--ignore-scripts",
    `--registry=${proxyOrigin}/`,
    "--replace-registry-host=always",
    ...fixedFlags,
    ...flags,
  ]);
  return run.sandbox.run({
    ...requestOf(run, [
      { kind: "read-only", source: socketDirectory, target: socketInside },
      { kind: "read-only", source: relay, target: relayInside },
    ]),
    phase: "fetch",
    argv: [run.toolchain.node, relayInside, `${socketInside}/registry.sock`, String(relayPort), ...npm],
  });
}

/** Runs the install scripts of the named packages (`name@version`), without any network. */
export function runNpmRebuild(run: NpmRun, specs: readonly string[], flags: readonly string[]): Promise<SandboxResult> {
  const argv = npmArgv(run.toolchain, [
    "rebuild",
    ...fixedFlags,
    "--offline",
    "--foreground-scripts",
    ...flags,
    ...specs,
  ]);
  return run.sandbox.run({ ...requestOf(run, []), phase: "scripts", argv });
}

/** npm's command line inside. Throws `toolchain-missing` and `toolchain-mismatch`: versions before 7 read no lockfile of today. */
function npmArgv(toolchain: ResolvedToolchain, args: readonly string[]): readonly string[] {
  if (toolchain.npmCli === null || toolchain.npmVersion === null)
    throw new TrueupError("toolchain-missing", { subject: "npm" });
  if (Number.parseInt(toolchain.npmVersion, 10) < 7) {
    throw new TrueupError("toolchain-mismatch", {
      subject: `npm ${toolchain.npmVersion}`,
      detail: "npm 7 or newer is needed",
    });
  }
  return [toolchain.node, toolchain.npmCli, ...args];
}

function requestOf(run: NpmRun, mounts: readonly SandboxMount[]): Omit<SandboxRequest, "phase" | "argv"> {
  return {
    cwd: projectInside,
    env: {
      PATH: [...run.toolchain.path, "/usr/bin", "/bin"].join(":"),
      HOME: homeInside,
      TMPDIR: "/tmp",
      LANG: "C.UTF-8",
      TZ: "UTC",
      CI: "1",
    },
    mounts: [
      ...run.toolchain.mounts,
      { kind: "writable", source: join(run.build.path, "project"), target: projectInside },
      { kind: "writable", source: join(run.build.path, "npm"), target: homeInside },
      ...mounts,
    ],
    limits: { wall_ms: run.wallMs, idle_ms: null, memory_bytes: 4 * 2 ** 30, pids: 1024, output_bytes: 16 * 2 ** 20 },
    proc: "real",
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  };
}

/** Both streams as text, in the order npm's errors are looked for. */
export function outputOf(result: SandboxResult): string {
  const decoder = new TextDecoder();
  return `${decoder.decode(result.stdout)}\n${decoder.decode(result.stderr)}`;
}
