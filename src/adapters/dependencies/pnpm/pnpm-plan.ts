import { digestOf, sha256, type Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { InstallRequest } from "../../../ports/index.ts";
import { inRoot } from "../shared/installed.ts";
import { isObject, parseJsonObject, type JsonObject } from "../shared/json-file.ts";
import { parsePnpmLockfile, type PnpmLockfile } from "./pnpm-lockfile.ts";
import { choosePnpm, type PnpmVersion } from "./pnpm-program.ts";
import { parsePnpmSettings, type PnpmSettings } from "./pnpm-settings.ts";

/** What must be installed for one root with a `pnpm-lock.yaml`. */
export interface PnpmPlan {
  /** Relative to the repository root; `""` is the root itself. */
  readonly root: string;
  readonly lock: PnpmLockfile;
  /** By directory relative to `root`, as pnpm shall see them. */
  readonly manifests: ReadonlyMap<string, string>;
  /** Patch files by path relative to `root`. */
  readonly patches: ReadonlyMap<string, Uint8Array>;
  readonly settings: PnpmSettings;
  readonly pnpm: PnpmVersion;
  readonly key: Digest;
}

/** Reads what a root needs from the tree alone; every refusal of evidence happens here. */
export async function readPnpmPlan(request: InstallRequest, root: string): Promise<PnpmPlan> {
  const { reader, toolchain } = request;
  const lockPath = inRoot(root, "pnpm-lock.yaml");
  const lock = parsePnpmLockfile(await readFile(request, lockPath), lockPath);
  const manifests = new Map<string, JsonObject>();
  for (const directory of ["", ...[...lock.importers.keys()].filter((each) => each !== "")]) {
    const path = inRoot(root, directory === "" ? "package.json" : `${directory}/package.json`);
    manifests.set(directory, parseJsonObject(await readFile(request, path), path, "manifest-invalid"));
  }
  const workspacePath = inRoot(root, "pnpm-workspace.yaml");
  const workspace = await reader.read(workspacePath);
  const settings = parsePnpmSettings(
    workspace === null ? null : { path: workspacePath, bytes: workspace },
    await reader.read(inRoot(root, ".npmrc")),
  );
  const patches = new Map<string, Uint8Array>();
  for (const patch of patchPaths(lock, settings, manifests)) {
    if (patch.split("/").includes("..") || patch.startsWith("/"))
      throw new TrueupError("unsupported-dependency", { subject: patch, detail: "a patch outside of the repository" });
    patches.set(patch, await readFile(request, inRoot(root, patch)));
  }
  const manager = manifests.get("")?.["packageManager"];
  const pnpm = choosePnpm(typeof manager === "string" ? manager : null, lock.version);
  const shown = new Map([...manifests].map(([directory, json]) => [directory, renderManifest(json)] as const));
  const key = digestOf({
    version: 1,
    manager: "pnpm",
    pnpm,
    lock: sha256(lock.text),
    manifests: [...shown].map(([directory, text]) => [directory, sha256(text)]),
    patches: [...patches].map(([path, bytes]) => [path, sha256(bytes)]),
    settings,
    node: [toolchain.nodeVersion, toolchain.nodeAbi],
    machine: [process.platform, process.arch],
  });
  return { root, lock, manifests: shown, patches, settings, pnpm, key };
}

async function readFile(request: InstallRequest, path: string): Promise<Uint8Array> {
  const bytes = await request.reader.read(path);
  if (bytes !== null) return bytes;
  throw new TrueupError("lockfile-out-of-step", {
    subject: path,
    detail: "the lockfile needs it, and it is not there",
  });
}

/** Without `scripts`, so that the repository's own never run, and without the pin that would make pnpm fetch another pnpm. */
function renderManifest(json: JsonObject): string {
  const { scripts: _scripts, packageManager: _manager, devEngines: _engines, ...shown } = json;
  return `${JSON.stringify(shown, null, 2)}\n`;
}

/** Version 9 names no files in the lock: they stand in the workspace's settings or in the manifest. */
function patchPaths(
  lock: PnpmLockfile,
  settings: PnpmSettings,
  manifests: ReadonlyMap<string, JsonObject>,
): readonly string[] {
  const own = manifests.get("")?.["pnpm"];
  const inManifest = isObject(own) && isObject(own["patchedDependencies"]) ? own["patchedDependencies"] : {};
  const all = [...lock.patches, ...settings.patches, ...Object.values(inManifest).map(String)];
  return [...new Set(all.map((path) => path.replace(/^(?:\.\/)+/u, "")))];
}
