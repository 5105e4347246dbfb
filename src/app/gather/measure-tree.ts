import type { AcceptanceContract, StepEntry, TestsEntry } from "../../core/contract/index.ts";
import type { CommandFacts, GeneratedFacts, RunFacts, RunPurpose } from "../../core/facts/index.ts";
import type {
  CommitRef,
  Evidence,
  InstalledDependencies,
  Mirror,
  Progress,
  ResolvedToolchain,
  Room,
  Sandbox,
  TreeReader,
  Workspaces,
} from "../../ports/index.ts";
import { planServices } from "./plan-services.ts";
import { runCommand } from "./run-command.ts";
import { runTests, type RunTestsResult } from "./run-tests.ts";
import { openTreeReader } from "./tree-reader.ts";

/** The ports a measurement needs. */
export interface MeasurePorts {
  readonly sandbox: Sandbox;
  readonly evidence: Evidence;
  readonly workspaces: Workspaces;
  readonly progress: Progress;
}

export interface MeasureRequest {
  readonly ports: MeasurePorts;
  readonly mirror: Mirror;
  readonly base: CommitRef;
  /** The tree to measure; the base's own for the baseline. */
  readonly tree: string;
  readonly purpose: "head" | "base";
  /** Tests runs are held to a few files, and are for something else than the whole tree. */
  readonly partial?: { readonly purpose: RunPurpose; readonly files?: readonly string[] };
  readonly contract: AcceptanceContract;
  readonly toolchain: ResolvedToolchain;
  readonly installed: InstalledDependencies;
  readonly signal?: AbortSignal;
}

export interface MeasuredTests {
  /** Null when a prepare step failed, so that the tests were never run. */
  readonly result: RunTestsResult | null;
  readonly prepare: readonly CommandFacts[];
}

/** Runs one tests entry in a fresh room of the tree, after the contract's prepare steps. */
export async function measureTests(
  request: MeasureRequest,
  criterion: number,
  assertionsRequired: boolean,
): Promise<MeasuredTests> {
  const entry = request.contract.tests?.[criterion] as TestsEntry;
  return inRoom(request, async (room, prepare) => {
    if (!prepare.every(succeeded)) return { result: null, prepare };
    const reader = await openTreeReader(request.mirror, request.tree);
    const { evidence } = request.ports;
    const made = { ...common(request, room), ...request.partial, ...(await surroundings(request)) };
    const before = await room.readWritten?.();
    const result = await runTests({ ...made, evidence, reader, criterion, entry, assertionsRequired });
    return { result: await withWritten(request, room, { result, before, reader }), prepare };
  });
}

/** Looks at the room again after its last process is dead: a run that rewrote the tree tested something else. */
async function withWritten(
  request: MeasureRequest,
  room: Room,
  run: { readonly result: RunTestsResult; readonly before: Written; readonly reader: TreeReader },
): Promise<RunTestsResult> {
  const { mirror, base, tree } = request;
  const { result, before, reader } = run;
  const touched = await touchedSince(room, before, reader);
  const was = { commit: base.commit, tree };
  const after = await mirror.captureDirectory(room.hostPath, was);
  const entries = after.tree === tree ? [] : (await mirror.changeFacts(was, after, [])).entries;
  const written = entries.filter((entry) => entry.status !== "added").map((entry) => entry.path);
  const putBack = touched.filter((path) => !written.includes(path));
  const facts = {
    ...result.facts,
    ...(written.length === 0 ? {} : { tree_written: written }),
    ...(putBack.length === 0 ? {} : { tree_put_back: putBack }),
  };
  return { ...result, facts };
}

type Written = ReadonlyMap<string, string> | undefined;

/** Files of the tree that were written since; none can be seen where the room keeps no account of it. */
async function touchedSince(room: Room, before: Written, reader: TreeReader): Promise<readonly string[]> {
  const after = await room.readWritten?.();
  if (before === undefined || after === undefined) return [];
  const changed = [...after].filter(([path, stamp]) => before.get(path) !== stamp).map(([path]) => path);
  const tracked = changed.length === 0 ? new Set<string>() : new Set(reader.entries.map((entry) => entry.path));
  return changed.filter((path) => tracked.has(path)).toSorted();
}

/** Runs every `commands` entry, each in a fresh prepared room. */
export async function measureCommands(request: MeasureRequest): Promise<readonly CommandFacts[]> {
  const facts: CommandFacts[] = [];
  for (const [criterion, entry] of (request.contract.commands ?? []).entries()) {
    await inRoom(request, async (room, prepare) => {
      const failed = prepare.filter((step) => !succeeded(step));
      if (failed.length > 0) facts.push(...failed);
      else {
        const { services } = await surroundings(request);
        facts.push(await runCommand({ ...common(request, room), services, kind: "command", criterion, entry }));
      }
    });
  }
  return facts;
}

/** Runs one command in a fresh prepared room, and captures what it left; null for both when a prepare step failed. */
export async function measureStep(
  request: MeasureRequest,
  step: { readonly criterion: number; readonly entry: StepEntry },
): Promise<{ readonly run: GeneratedFacts["run"]; readonly after: string | null }> {
  return inRoom(request, async (room, prepare) => {
    if (!prepare.every(succeeded)) return { run: null, after: null };
    const {
      kind: _kind,
      criterion: _index,
      purpose: _purpose,
      tree: _tree,
      ...run
    } = await runCommand({
      ...common(request, room),
      ...step,
      kind: "command",
    });
    const was = { commit: request.base.commit, tree: request.tree };
    return { run, after: (await request.mirror.captureDirectory(room.hostPath, was)).tree };
  });
}

function succeeded(step: CommandFacts): boolean {
  return step.exit.code === 0 && step.exit.error === null;
}

/** What the contract asks to stand around a run: services, and whether the machine's /proc is seen. */
async function surroundings({ contract, toolchain, installed }: MeasureRequest) {
  const services = await planServices(contract, { toolchain, dependencies: installed });
  return { services, proc: contract.needs?.includes("proc") === true ? ("real" as const) : ("synthetic" as const) };
}

function common(request: MeasureRequest, room: Room) {
  return {
    sandbox: request.ports.sandbox,
    room,
    tree: request.tree,
    purpose: request.purpose,
    toolchain: request.toolchain,
    dependencies: request.installed,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
}

async function inRoom<T>(
  request: MeasureRequest,
  use: (room: Room, prepare: readonly CommandFacts[]) => Promise<T>,
): Promise<T> {
  const room = await request.ports.workspaces.open({
    mirror: request.mirror,
    baseTree: request.base.tree,
    tree: request.tree,
    mountPoints: request.installed.mountPoints,
  });
  try {
    return await use(room, await prepareRoom(request, room));
  } finally {
    await room.close();
  }
}

async function prepareRoom(request: MeasureRequest, room: Room): Promise<readonly CommandFacts[]> {
  const facts: CommandFacts[] = [];
  for (const [criterion, entry] of (request.contract.prepare ?? []).entries()) {
    const step = await runCommand({ ...common(request, room), kind: "prepare", criterion, entry });
    facts.push(step);
    if (!succeeded(step)) break;
  }
  return facts;
}

/** Whether a run is worth keeping: it ended by itself and every signal of it agrees. */
export function isSettled(run: RunFacts): boolean {
  return run.exit.error === null && run.faults.length === 0;
}
