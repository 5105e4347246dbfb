import type { TestsEntry } from "../../core/contract/index.ts";
import type { InstalledDependencies, Limits, ResolvedToolchain } from "../../ports/index.ts";
import { normalDirectory } from "./package-roots.ts";

/** The work tree inside the sandbox. */
export const repositoryRoot = "/repo";

const defaultTimeoutSeconds = 900;
const gibibyte = 2 ** 30;

/** The limits of one test or command run: 4 GiB, 512 processes, 64 MiB of output, 900 s unless the contract says. */
export function runLimits(timeoutSeconds: number | undefined): Limits {
  return {
    wall_ms: (timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
    idle_ms: null,
    memory_bytes: 4 * gibibyte,
    pids: 512,
    output_bytes: 64 * 1024 * 1024,
  };
}

/** A contract's `cwd` as an absolute path inside the sandbox. */
export function insideDirectory(cwd: string | undefined): string {
  const directory = normalDirectory(cwd ?? "");
  return directory === "" ? repositoryRoot : `${repositoryRoot}/${directory}`;
}

/** The `.bin` directories of the mounted stores above `cwd`, nearest first; never one that the tree itself brings. */
function binDirectories(cwd: string, dependencies: InstalledDependencies): string[] {
  const stores = dependencies.mounts.map((mount) => mount.target).filter((target) => target.endsWith("/node_modules"));
  const above = stores.filter((store) => `${cwd}/`.startsWith(`${store.slice(0, -"node_modules".length)}`));
  return above.toSorted((a, b) => b.length - a.length).map((store) => `${store}/.bin`);
}

/** The whole environment of a run; nothing is inherited from the executor. `cwd` is absolute inside. */
export function runEnvironment(request: {
  readonly cwd: string;
  readonly toolchain: ResolvedToolchain;
  readonly dependencies: InstalledDependencies;
  readonly env?: TestsEntry["env"];
}): Record<string, string> {
  const path = [
    ...binDirectories(request.cwd, request.dependencies),
    ...request.toolchain.path,
    ...request.dependencies.path,
    "/usr/bin",
    "/bin",
  ];
  const given = Object.entries(request.env ?? {}).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    CI: "1",
    TZ: "UTC",
    LANG: "C.UTF-8",
    HOME: "/home/u",
    TMPDIR: "/tmp",
    PATH: [...new Set(path)].join(":"),
    ...Object.fromEntries(given),
  };
}
