import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/bubblewrap-sandbox.ts";
import { createHostToolchain } from "../../src/adapters/toolchain/host/host-toolchain.ts";
import type {
  Agent,
  AgentJob,
  AgentResult,
  InstalledDependencies,
  ResolvedToolchain,
  Sandbox,
} from "../../src/ports/index.ts";

/** One agent's run over a small work tree in the real sandbox, and the files it left. */
export interface Played {
  readonly result: AgentResult;
  readonly messages: readonly string[];
  /** Reads a file of the work tree after the run; null when it is not there. */
  readonly files: Readonly<Record<string, string | null>>;
}

export interface PlayOptions {
  readonly base?: Readonly<Record<string, string>>;
  /** Files to read afterwards. */
  readonly read?: readonly string[];
  readonly job?: Partial<AgentJob>;
}

/** A sandbox, a toolchain and a scratch directory for one test file. */
export interface Stage {
  /** A directory of this machine that no agent sees. */
  readonly directory: string;
  readonly sandbox: Sandbox;
  /** Writes a file of this machine and returns its path. */
  write(name: string, text: string, mode?: number): Promise<string>;
  play(agent: Agent, options?: PlayOptions): Promise<Played>;
  dispose(): Promise<void>;
}

const noDependencies: InstalledDependencies = {
  facts: [],
  mounts: [],
  mountPoints: [],
  path: [],
  packageVersion: () => Promise.resolve(null),
  resolveBin: () => Promise.resolve(null),
  release: () => Promise.resolve(),
};

async function writeTree(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function readTree(root: string, paths: readonly string[]): Promise<Record<string, string | null>> {
  const read = async (path: string): Promise<[string, string | null]> => [
    path,
    await readFile(join(root, path), "utf8").catch(() => null),
  ];
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

async function resolveToolchain(): Promise<ResolvedToolchain> {
  const toolchain = createHostToolchain({
    environment: { PATH: process.env["PATH"], HOME: homedir() },
    cacheDirectory: process.env["TRUEUP_CACHE"] ?? join(tmpdir(), "trueup-test-cache"),
    ownPackageRoot: process.cwd(),
  });
  return toolchain.resolve({ node: null, nodeVersionFile: null, packageManager: null });
}

/** Opens a stage; every play has a fresh work tree. */
export async function openStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), "trueup-stage-"));
  await chmod(directory, 0o700);
  const sandbox = createBubblewrapSandbox({
    scratchDirectory: join(directory, "scratch"),
    searchPath: process.env["PATH"] ?? "",
  });
  const toolchain = await resolveToolchain();
  let plays = 0;
  const play = async (agent: Agent, options: PlayOptions = {}): Promise<Played> => {
    const base = join(directory, `base-${(plays += 1)}`);
    await mkdir(base);
    await writeTree(base, options.base ?? { "a.txt": "one\n" });
    const dependencies = options.job?.dependencies ?? noDependencies;
    const room = await sandbox.openRoom({
      base,
      deltas: [],
      mountPoints: dependencies.mountPoints,
      bytes: 64 * 2 ** 20,
    });
    const messages: string[] = [];
    try {
      const job = { prompt: "Do it.", room, sandbox, toolchain, dependencies, wall_ms: 60_000, idle_ms: 60_000 };
      const result = await agent.run({ ...job, onMessage: (line) => messages.push(line), ...options.job });
      return { result, messages, files: await readTree(room.hostPath, options.read ?? ["a.txt"]) };
    } finally {
      await room.close();
    }
  };
  return {
    directory,
    sandbox,
    play,
    async write(name, text, mode = 0o644) {
      await writeTree(directory, { [name]: text });
      await chmod(join(directory, name), mode);
      return join(directory, name);
    },
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
}
