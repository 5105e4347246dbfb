import {
  addAgentHooks,
  findAgentCommands,
  hookOwner,
  keptHookName,
  removeAgentHooks,
  renderGitHook,
  type AgentClient,
  type GitHookName,
  type HookProgram,
} from "../../core/hooks/index.ts";
import { TrueupError } from "../../errors.ts";
import type { HookFiles } from "../../ports/index.ts";

export interface HooksRequest {
  readonly directory: string;
  readonly git: readonly GitHookName[];
  readonly agents: readonly {
    readonly client: AgentClient;
    /** Absolute path of the settings. */
    readonly file: string;
    /** Null in a project's own settings, which name no path of this machine. */
    readonly program: HookProgram | null;
  }[];
  readonly program: HookProgram;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

/** What happened, or would happen, to one file. */
export interface HookChange {
  readonly layer: GitHookName | AgentClient;
  readonly file: string;
  /**
   * `managed`: hooks among the work tree's own files, which stay as they are and want a line of their own. `edited`: our hook
   * with somebody's changes, left alone. `absent`: nothing of ours was there.
   */
  readonly state: "installed" | "unchanged" | "removed" | "managed" | "edited" | "absent";
  /** Where a hook that was here before is kept, or was put back from. */
  readonly kept: string | null;
}

/** A change with the steps that make it. */
interface Planned extends HookChange {
  readonly act: () => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** Installs hooks, each run after the one that was there. Everything is looked at before anything is written. */
export async function installHooks(request: HooksRequest, files: HookFiles): Promise<readonly HookChange[]> {
  const place = request.git.length === 0 ? null : await findPlace(request.directory, files);
  const planned: Planned[] = [];
  for (const name of request.git) planned.push(await planGitHook(name, { place, program: request.program, files }));
  for (const agent of request.agents) planned.push(await planAgent(agent, files));
  return carryOut(planned, request.dryRun);
}

/** Takes out what `installHooks` put in and puts back what was there before; nothing that is not ours is touched. */
export async function uninstallHooks(
  request: Omit<HooksRequest, "program">,
  files: HookFiles,
): Promise<readonly HookChange[]> {
  const place = request.git.length === 0 ? null : await findPlace(request.directory, files);
  const planned: Planned[] = [];
  for (const name of request.git) if (place !== null) planned.push(await planGitRemoval(name, place, files));
  for (const agent of request.agents) planned.push(await planAgentRemoval(agent, files));
  return carryOut(planned, request.dryRun);
}

async function carryOut(planned: readonly Planned[], dryRun: boolean): Promise<readonly HookChange[]> {
  for (const { act } of planned) if (!dryRun) await act();
  return planned.map(({ layer, file, state, kept }) => ({ layer, file, state, kept }));
}

type Place = NonNullable<Awaited<ReturnType<HookFiles["findGitHooks"]>>>;

async function findPlace(directory: string, files: HookFiles): Promise<Place> {
  const place = await files.findGitHooks(directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: directory });
  return place;
}

async function planGitHook(
  name: GitHookName,
  { place, program, files }: { place: Place | null; program: HookProgram; files: HookFiles },
): Promise<Planned> {
  if (place === null) throw new TrueupError("not-a-repository");
  const { file, kept } = namesIn(place, name);
  if (place.managed) return { layer: name, file, state: "managed", kept: null, act: nothing };
  const [before, keptText] = [await files.read(file), await files.read(kept)];
  const wanted = renderGitHook(name, program);
  const owner = before === null ? "none" : hookOwner(before);
  const keptNow = keptText === null ? null : kept;
  if (before === wanted) return { layer: name, file, state: "unchanged", kept: keptNow, act: nothing };
  if (owner === "edited") return { layer: name, file, state: "edited", kept: keptNow, act: nothing };
  if (owner === "other" && keptText !== null)
    throw new TrueupError("hook-in-the-way", { subject: file, detail: `${kept} is there too` });
  const act = async (): Promise<void> => {
    if (owner === "other") await files.move(file, kept);
    await files.writeProgram(file, wanted);
  };
  return { layer: name, file, state: "installed", kept: owner === "other" ? kept : keptNow, act };
}

async function planGitRemoval(name: GitHookName, place: Place, files: HookFiles): Promise<Planned> {
  const { file, kept } = namesIn(place, name);
  const [before, keptText] = [await files.read(file), await files.read(kept)];
  const owner = before === null ? "none" : hookOwner(before);
  const back = keptText === null ? null : kept;
  if (owner === "edited") return { layer: name, file, state: "edited", kept: back, act: nothing };
  if (owner !== "ours") return { layer: name, file, state: "absent", kept: back, act: nothing };
  const act = (): Promise<void> => (back === null ? files.remove(file) : files.move(back, file));
  return { layer: name, file, state: "removed", kept: back, act };
}

function namesIn(place: Place, name: GitHookName): { readonly file: string; readonly kept: string } {
  return { file: `${place.directory}/${name}`, kept: `${place.directory}/${keptHookName(name)}` };
}

type Agent = HooksRequest["agents"][number];

async function planAgent({ client, file, program }: Agent, files: HookFiles): Promise<Planned> {
  const before = await files.read(file);
  const edit = addAgentHooks(before, client, program);
  if (edit === null) throw new TrueupError("hook-settings-invalid", { subject: file });
  const same = edit.text === before;
  const act = same ? nothing : (): Promise<void> => files.writeSettings(file, edit.text);
  return { layer: client, file, state: same ? "unchanged" : "installed", kept: null, act };
}

async function planAgentRemoval({ client, file }: Agent, files: HookFiles): Promise<Planned> {
  const before = await files.read(file);
  const absent = { layer: client, file, state: "absent" as const, kept: null, act: nothing };
  if (before === null || findAgentCommands(before).length === 0) return absent;
  const edit = removeAgentHooks(before);
  if (edit === null) return absent;
  const act = async (): Promise<void> => {
    if (edit.text !== "") return files.writeSettings(file, edit.text);
    await files.remove(file);
    await files.removeEmpty(file.slice(0, file.lastIndexOf("/")));
  };
  return { layer: client, file, state: "removed", kept: null, act };
}
