import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { createLocalForge } from "../../src/adapters/forge/local/local-forge.ts";
import { readPullRequests } from "../../src/adapters/forge/local/pull-request-directory.ts";
import type { PullRequestFile } from "../../src/adapters/forge/local/pull-request-file.ts";
import { createGitCli } from "../../src/adapters/git/cli/create-git-cli.ts";
import { createSystemClock } from "../../src/adapters/machine/node/clock.ts";
import { createUuidIds } from "../../src/adapters/machine/node/uuid-ids.ts";
import { createAttemptStore } from "../../src/adapters/store/files/attempt-store.ts";
import { readOwnIdentity, type ProcessIdentity } from "../../src/adapters/store/files/process-identity.ts";
import { deliver } from "../../src/app/deliver/deliver.ts";
import type { DeliverPorts, DeliverRequest, DeliverResult } from "../../src/app/deliver/delivery.ts";
import { sha256 } from "../../src/core/digest.ts";
import type { AgentFacts } from "../../src/core/facts/index.ts";
import { readDeliverRequest, type DeliverOptions } from "../../src/entry/cli/read-deliver-request.ts";
import { createRenderers } from "../../src/entry/cli/renderers.ts";
import type {
  Agent,
  AgentJob,
  Attempt,
  AttemptStore,
  Forge,
  Git,
  Mirror,
  ProgressEvent,
  Sandbox,
  Workspaces,
} from "../../src/ports/index.ts";
import { plainGit, writeFiles, type Contract, type Files } from "./pipeline-stage.ts";

/** What happens around one effect of a delivery. `act` does it; what is thrown instead ends it there. */
export type Around = (name: string, act: () => Promise<unknown>) => Promise<unknown>;

/** What the agent does to the work tree; null stands for one that changes nothing. */
export type AgentEdit = ((directory: string, job: AgentJob) => void | Promise<void>) | null;

export interface PlayOptions {
  readonly title?: string;
  readonly contract?: Contract | null;
  readonly task?: Readonly<Record<string, unknown>>;
  readonly flags?: Partial<DeliverOptions>;
  readonly edit?: AgentEdit;
  readonly stop?: AgentFacts["stop"];
  readonly around?: Around;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ProgressEvent) => void;
  /** A process that is dead when the next one looks: its lock stays behind. */
  readonly dies?: boolean;
  /** A remote that no forge is known for. */
  readonly withoutForge?: boolean;
  /** The last word on the request, past what the command line would let through. */
  readonly change?: (request: DeliverRequest) => DeliverRequest;
}

/** One delivery: its result or what it threw, and what it did. */
export interface Played {
  readonly result: DeliverResult | null;
  readonly error: unknown;
  /** The effects it began, in order: `save capture`, `pushNew`, ... */
  readonly effects: readonly string[];
  readonly agentRuns: number;
}

/** A small repository with a real bare remote, local forge, mirror and attempt store; only what runs programs is played. */
export interface ResumeStage extends Disposable {
  readonly home: string;
  readonly remote: string;
  readonly state: string;
  play(options?: PlayOptions): Promise<Played>;
  /** Another stage that begins as this one began, in its own directory. */
  twin(): ResumeStage;
  git(...args: readonly string[]): string;
  /** Commits files on the remote's main, as a person does. */
  commit(files: Files, message: string): void;
  refs(): Readonly<Record<string, string>>;
  branches(): readonly string[];
  pulls(): Promise<readonly PullRequestFile[]>;
  /** `old ref` of everything anybody pushed. */
  pushes(): readonly string[];
}

/** Twenty lines, `line 1` to `line 20`. */
export const longText = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

const base: Files = { "notes.txt": "one\ntwo\nthree\n", "long.txt": longText, "README.md": "Notes.\n" };

/** Allows `notes.txt` and nothing else; asks for no test, so that no program has to run. */
export const notesContract: Contract = {
  changed_files_only: ["notes.txt"],
  changed_files_required: ["notes.txt"],
  max_added_lines: 3,
  file_contains: [{ path: "notes.txt", text: "TWO" }],
};

/** The honest change. */
export const shout: AgentEdit = (directory) => {
  const file = path.join(directory, "notes.txt");
  writeFileSync(file, readFileSync(file, "utf8").replace("two", "TWO"));
};

/** Writes down what every push does to a ref, so that a forced or deleting one cannot go unseen. */
const recordingHook = '#!/bin/sh\nprintf "%s %s\\n" "$2" "$1" >>"$GIT_DIR/pushes.log"\n';

function buildRemote(home: string, files: Files): string {
  const source = path.join(home, "source");
  const remote = path.join(home, "remote.git");
  plainGit(home, "init", "-q", "-b", "main", source);
  writeFiles(source, files);
  plainGit(source, "add", "-A");
  plainGit(source, "commit", "-q", "-m", "base");
  plainGit(home, "clone", "-q", "--bare", source, remote);
  rmSync(path.join(remote, "hooks"), { recursive: true });
  mkdirSync(path.join(remote, "hooks"));
  writeFileSync(path.join(remote, "hooks", "update"), recordingHook, { mode: 0o755 });
  return remote;
}

export function openResumeStage(files: Files = base): ResumeStage {
  const home = mkdtempSync(path.join(tmpdir(), "trueup-resume-"));
  const template = path.join(home, "template");
  mkdirSync(template);
  return createStage(path.join(home, "0"), buildRemote(template, files), home);
}

function createStage(home: string, template: string, owner: string): ResumeStage {
  const remote = path.join(home, "remote.git");
  const state = path.join(home, "state");
  let [twins, tasks] = [0, 0];
  cpSync(template, remote, { recursive: true });
  const refs = (): Record<string, string> => {
    const lines = plainGit(remote, "for-each-ref", "--format=%(refname) %(objectname)").trim().split("\n");
    return Object.fromEntries(lines.map((line) => line.split(" ") as [string, string]));
  };
  return {
    home,
    remote,
    state,
    play: (options = {}) => play({ home, remote, state, task: (tasks += 1) }, options),
    twin: () => createStage(path.join(home, `twin-${(twins += 1)}`), template, path.join(home, `twin-${twins}`)),
    git: (...args) => plainGit(remote, ...args),
    commit(changed, message) {
      const work = mkdtempSync(path.join(home, "person-"));
      plainGit(work, "clone", "-q", remote, ".");
      writeFiles(work, changed);
      plainGit(work, "add", "-A");
      plainGit(work, "commit", "-q", "-m", message);
      plainGit(work, "push", "-q", "origin", "main");
    },
    refs,
    branches: () => Object.keys(refs()).filter((name) => name !== "refs/heads/main"),
    pulls: () => readPullRequests(remote),
    pushes: () => readFileSync(path.join(remote, "pushes.log"), "utf8").trim().split("\n"),
    [Symbol.dispose]: () => rmSync(owner, { recursive: true, force: true }),
  };
}

interface Place {
  readonly home: string;
  readonly remote: string;
  readonly state: string;
  readonly task: number;
}

async function play(place: Place, options: PlayOptions): Promise<Played> {
  const effects: string[] = [];
  let agentRuns = 0;
  const around = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    effects.push(name);
    return (options.around === undefined ? act() : options.around(name, act)) as Promise<T>;
  };
  const agent: Agent = {
    driver: "scripted",
    async run(job) {
      agentRuns += 1;
      const edit = options.edit === undefined ? shout : options.edit;
      await edit?.(job.room.hostPath, job);
      const facts: AgentFacts = { driver: "scripted", stop: options.stop ?? "end_turn", exit: 0, duration_ms: 1 };
      return { facts, claim: "Shouted the second line.", transcript: "edited\n" };
    },
  };
  const request = await readRequest(place, options);
  const outcome = await deliver(request, await createPorts(place, { options, around, agent })).then(
    (result) => ({ result, error: null }),
    (error: unknown) => ({ result: null, error }),
  );
  return { ...outcome, effects, agentRuns };
}

/** The request as the command line makes it from a task file. */
async function readRequest(place: Place, options: PlayOptions): Promise<DeliverRequest> {
  const file = path.join(place.home, `task-${place.task}.json`);
  const contract = options.contract === undefined ? notesContract : options.contract;
  const task = {
    title: options.title ?? "Shout the second line",
    repo: place.remote,
    prompt: "Do what the title says.",
    agent: "scripted:/played",
    ...options.task,
    ...(contract === null ? {} : { contract }),
  };
  writeFileSync(file, JSON.stringify(task));
  const terminal = {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: { USER: "ada" },
    cwd: place.home,
    signal: options.signal ?? new AbortController().signal,
  };
  const read = await readDeliverRequest(terminal, file, { prefix: "trueup", ...options.flags });
  return options.change?.(read.deliver) ?? read.deliver;
}

type AroundTyped = <T>(name: string, act: () => Promise<T>) => Promise<T>;

interface Parts {
  readonly options: PlayOptions;
  readonly around: AroundTyped;
  readonly agent: Agent;
}

async function createPorts(place: Place, { options, around, agent }: Parts): Promise<DeliverPorts> {
  const clock = createSystemClock();
  const own = await readOwnIdentity();
  const identity = async (): Promise<ProcessIdentity> => (options.dies === true ? { ...own, started: "1" } : own);
  const store = createAttemptStore({ state: place.state, clock, ids: createUuidIds(clock), identity });
  const forge = createLocalForge({ repository: place.remote, account: "trueup" });
  return {
    git: guardGit(createGitCli({ cacheDirectory: path.join(place.home, "cache") }), around),
    forge: options.withoutForge === true ? null : guardForge(forge, around),
    attempts: guardAttempts(store, { around, dies: options.dies === true }),
    agent,
    clock,
    renderers: createRenderers(),
    progress: { report: (event) => options.onEvent?.(event) },
    workspaces: createPlainWorkspaces(place.home),
    sandbox: playedSandbox,
    evidence: {
      witnessDirectory: "/nonexistent",
      witnessDigest: async () => sha256("witness"),
      openReportPipe: () => nothingRuns(),
    },
    cache: { read: async () => null, write: async () => undefined },
    ids: createUuidIds(clock),
    signatures: { verify: () => nothingRuns() },
    heldOut: { keep: () => nothingRuns(), read: async () => null },
    toolchain: {
      resolve: async () => ({
        tools: [{ name: "node", version: "24.0.0" }],
        mounts: [],
        path: [],
        node: "/opt/node",
        nodeVersion: "24.0.0",
        nodeAbi: "137",
        npmCli: null,
        npmVersion: null,
      }),
    },
    dependencies: {
      install: async () => ({
        facts: [],
        mounts: [],
        mountPoints: [],
        path: [],
        packageVersion: async () => null,
        resolveBin: async () => null,
        release: async () => undefined,
      }),
    },
  };
}

function nothingRuns(): never {
  throw new Error("no program runs on this stage");
}

const playedSandbox: Sandbox = {
  name: "played",
  probe: async () => ({
    report: {
      driver: "played",
      version: "1",
      work_tree: "copy",
      features: [{ name: "network", state: "held", detail: "" }],
    },
    lines: [],
    usable: true,
  }),
  openRoom: async () => nothingRuns(),
  run: async () => nothingRuns(),
};

/** Rooms as plain directories with the tree's files. */
function createPlainWorkspaces(home: string): Workspaces {
  return {
    async open({ mirror, tree }) {
      const hostPath = path.join(mkdtempSync(path.join(home, "room-")), "tree");
      await mirror.materialize(tree, hostPath);
      return { hostPath, kind: "copy", close: async () => rmSync(path.dirname(hostPath), { recursive: true }) };
    },
  };
}

function guardGit(git: Git, around: AroundTyped): Git {
  const guarded = (mirror: Mirror): Mirror => ({
    ...mirror,
    commit: (request) => around("commit", () => mirror.commit(request)),
    pushNew: (url, branch, commit) => around("pushNew", () => mirror.pushNew(url, branch, commit)),
    listRemote: (url, prefix) => around("listRemote", () => mirror.listRemote(url, prefix)),
  });
  return {
    ...git,
    async openMirror(url, options) {
      const opened = await git.openMirror(url, options);
      return { ...opened, mirror: guarded(opened.mirror) };
    },
  };
}

function guardForge(forge: Forge, around: AroundTyped): Forge {
  return {
    ...forge,
    listPullRequests: (prefix) => around("listPullRequests", () => forge.listPullRequests(prefix)),
    openPullRequest: (request) => around("openPullRequest", () => forge.openPullRequest(request)),
  };
}

function guardAttempts(store: AttemptStore, { around, dies }: { around: AroundTyped; dies: boolean }): AttemptStore {
  const guarded = (attempt: Attempt): Attempt => ({
    ...attempt,
    get intents() {
      return attempt.intents;
    },
    save: (step, data) => around(`save ${step}`, () => attempt.save(step, data)),
    recordIntent: (intent) => around("recordIntent", () => attempt.recordIntent(intent)),
    writeArtifact: (name, content) => around(`writeArtifact ${name}`, () => attempt.writeArtifact(name, content)),
    close: async () => (dies ? undefined : attempt.close()),
  });
  return { ...store, open: async (request) => guarded(await store.open(request)) };
}
