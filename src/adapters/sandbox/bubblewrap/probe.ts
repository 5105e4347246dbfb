import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { IsolationFeature } from "../../../core/facts/index.ts";
import type { Sandbox, SandboxRequest } from "../../../ports/sandbox.ts";
import { TrueupError } from "../../../errors.ts";
import type { BubblewrapSetup } from "./setup.ts";
import { renderDoctorLines, type Findings } from "./doctor-lines.ts";
import { readHostFindings, readVersion } from "./host-findings.ts";
import {
  attackProgram,
  decodeAttacks,
  memoryAttack,
  pidsAttack,
  refusedCalls,
  type AttackInput,
} from "./probe-attacks.ts";
import { filterArchitecture } from "./seccomp-program.ts";

/** What `probe()` answers. */
export type ProbeResult = Awaited<ReturnType<Sandbox["probe"]>>;

const mebibyte = 1_048_576;
const shell = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };

/** Attacks the sandbox from inside and reports. A machine that cannot run one is a result, not an error. */
export async function probeSandbox(ready: () => Promise<BubblewrapSetup>, sandbox: Sandbox): Promise<ProbeResult> {
  const host = await readHostFindings();
  try {
    const setup = await ready();
    const features = await attackAll(setup, sandbox);
    const version = await readVersion(setup.programs.bwrap);
    return answer({ host, error: null, version, groups: setup.groups, ladder: setup.ladder, features });
  } catch (error) {
    if (!(error instanceof TrueupError)) throw error;
    return answer({ host, error, version: null, groups: null, ladder: null, features: [] });
  }
}

function answer(findings: Findings): ProbeResult {
  const { version, ladder, features, error } = findings;
  return {
    report: { driver: "bubblewrap", version: version ?? "", work_tree: ladder?.rung ?? "none", features },
    lines: renderDoctorLines(findings),
    usable: error === null && features.every((feature) => feature.state !== "failed"),
  };
}

async function attackAll(setup: BubblewrapSetup, sandbox: Sandbox): Promise<IsolationFeature[]> {
  const inside = await attackFromInside(setup, sandbox);
  const pids = await attackPids(setup, sandbox);
  return [...inside, await attackMemory(setup, sandbox), pids];
}

function request(argv: readonly string[], memoryBytes: number, pids: number): SandboxRequest {
  return {
    phase: "test",
    argv,
    cwd: "/tmp",
    env: shell,
    mounts: [],
    limits: { wall_ms: 30_000, idle_ms: null, memory_bytes: memoryBytes, pids, output_bytes: mebibyte },
    proc: "real",
  };
}

async function attackFromInside(setup: BubblewrapSetup, sandbox: Sandbox): Promise<IsolationFeature[]> {
  const directory = await mkdtemp(join(setup.scratch, "probe-"));
  const listener = await listen();
  try {
    const nodes = await readNodes();
    const input = await attackInput(directory, listener.port);
    const base = request(["/opt/node", "-e", attackProgram, JSON.stringify(input)], 1024 * mebibyte, 256);
    const result = await sandbox.run({
      ...base,
      mounts: [{ kind: "read-only", source: process.execPath, target: "/opt/node" }],
    });
    const features = decodeAttacks(Buffer.from(result.stdout).toString("utf8"));
    const checked = features.map((each) => doubted(each, listener.connections()));
    return [...checked, judgeNodes(nodes, await readNodes()), await findSurvivor(input.survivorMark)];
  } finally {
    listener.server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** When the host's device nodes were last changed: a mode set from inside would show here, even to the same value. */
async function readNodes(): Promise<string> {
  const nodes = await Promise.all(["null", "zero", "full"].map((name) => stat(`/dev/${name}`, { bigint: true })));
  return nodes.map((node) => node.ctimeNs).join(" ");
}

function judgeNodes(before: string, after: string): IsolationFeature {
  const held = before === after;
  return { name: "host-devices", state: held ? "held" : "failed", detail: held ? "unchanged" : "changed from inside" };
}

/** The host's own listener has the last word on whether anything came through. */
function doubted(feature: IsolationFeature, connections: number): IsolationFeature {
  if (feature.name !== "network" || connections === 0) return feature;
  return { name: "network", state: "failed", detail: `${connections} connections arrived outside` };
}

async function attackInput(directory: string, port: number): Promise<AttackInput> {
  const hiddenFile = join(directory, "hidden");
  await writeFile(hiddenFile, "hidden");
  const names = ["ipc", "mnt", "net", "pid", "user", "uts"];
  const links = await Promise.all(names.map(async (name) => [name, await readlink(`/proc/self/ns/${name}`)] as const));
  return {
    port,
    hiddenFile,
    environment: [...Object.keys(shell), "PWD", "OLDPWD", "SHLVL", "_"],
    namespaces: Object.fromEntries(links),
    survivorMark: `trueup-probe-${randomBytes(12).toString("hex")}`,
    calls: refusedCalls(filterArchitecture(process.arch)),
  };
}

async function listen(): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    server,
    port: typeof address === "object" && address !== null ? address.port : 0,
    connections: () => connections,
  };
}

/** Looks for a process that was started inside and meant to outlive its sandbox. */
async function findSurvivor(mark: string): Promise<IsolationFeature> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/u.test(name))) {
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (words.includes(mark))
      return { name: "dead-tree", state: "failed", detail: `process ${pid} outlived its sandbox` };
  }
  return { name: "dead-tree", state: "held", detail: "a detached process died with its sandbox" };
}

async function attackPids(setup: BubblewrapSetup, sandbox: Sandbox): Promise<IsolationFeature> {
  const name = "pids-limit";
  if (setup.groups.pids === null) return { name, state: "missing", detail: "no control group for processes" };
  const result = await sandbox.run(request(["sh", "-c", pidsAttack], 256 * mebibyte, 32));
  const refused = /fork|resource temporarily unavailable/iu.test(Buffer.from(result.stderr).toString("utf8"));
  const unlimited = Buffer.from(result.stdout).toString("utf8").includes("unlimited");
  const held = refused && !unlimited;
  return {
    name,
    state: held ? "held" : "failed",
    detail: held ? "fork refused at 32" : "no refusal seen at a limit of 32",
  };
}

async function attackMemory(setup: BubblewrapSetup, sandbox: Sandbox): Promise<IsolationFeature> {
  const name = "memory-limit";
  if (setup.groups.memory === null) return { name, state: "missing", detail: "no control group for memory" };
  const result = await sandbox.run(request(["sh", "-c", memoryAttack], 64 * mebibyte, 32));
  const held = result.exit.error === "memory";
  return {
    name,
    state: held ? "held" : "failed",
    detail: held ? "killed at 64 MiB" : `ended with ${result.exit.code ?? result.exit.error}`,
  };
}
