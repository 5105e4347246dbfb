import { digestOf, sha256, type Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { InstallRequest, ResolvedToolchain, TreeReader } from "../../../ports/index.ts";
import { inRoot } from "../shared/installed.ts";
import { checkInStep } from "./lockfile-step.ts";
import { checkSources } from "./lockfile-sources.ts";
import { parseLockfile, type Lockfile } from "./lockfile.ts";
import { isWorkspace, needsInstall, parseManifest, type Manifest } from "../shared/manifest.ts";
import { parseNpmSettings, type NpmSettings } from "./npm-settings.ts";

/** What must be installed for one package root. */
export interface InstallPlan {
  /** Relative to the repository root; `""` is the root itself. */
  readonly root: string;
  readonly lock: Lockfile;
  /** By directory relative to `root`, `""` first, then the workspaces that the lock names. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly settings: NpmSettings;
  readonly key: Digest;
}

/** A root where nothing is to be installed. */
export interface EmptyPlan {
  readonly root: string;
  readonly lock: null;
}

const npmLockfiles = ["npm-shrinkwrap.json", "package-lock.json"];
const otherLockfiles: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

/** Reads what the roots need from the tree alone; every refusal of evidence happens here, before anything is fetched. */
export async function readPlans(request: InstallRequest): Promise<readonly (InstallPlan | EmptyPlan)[]> {
  const roots = new Set<string>();
  for (const root of request.roots) roots.add(await findInstallRoot(request.reader, root));
  const plans = await Promise.all([...roots].sort().map((root) => readPlan(request, root)));
  return plans.filter((plan) => plan !== null);
}

/** A member of a workspace is installed with the root that holds the lockfile. */
async function findInstallRoot(reader: TreeReader, root: string): Promise<string> {
  if (root === "" || (await readLock(reader, root)) !== null) return root;
  for (let at = parentOf(root); at !== null; at = parentOf(at)) {
    const manifest = await reader.read(inRoot(at, "package.json"));
    if (manifest === null || (await readLock(reader, at)) === null) continue;
    const below = at === "" ? root : root.slice(at.length + 1);
    if (isWorkspace(parseManifest(manifest, inRoot(at, "package.json")), below)) return at;
  }
  return root;
}

async function readPlan(request: InstallRequest, root: string): Promise<InstallPlan | EmptyPlan | null> {
  const { reader } = request;
  const path = inRoot(root, "package.json");
  const bytes = await reader.read(path);
  if (bytes === null) return null;
  const manifest = parseManifest(bytes, path);
  const found = await readLock(reader, root);
  if (!needsInstall(manifest, found !== null)) return { root, lock: null };
  await refuseOtherManagers(reader, root, { manifest, hasLock: found !== null });
  if (found === null) throw missing(root, manifest.packageManager);
  const lock = parseLockfile(found.bytes, found.path);
  const files = await readMemberManifests(reader, { root, lock, manifest });
  const manifests = new Map([
    ["", manifest],
    ...files.map((file) => [file.directory, parseManifest(file.bytes, file.path)] as const),
  ]);
  checkSources(lock, [...manifests.values()]);
  checkInStep(lock, manifests);
  const npmrc = await reader.read(inRoot(root, ".npmrc"));
  const settings = parseNpmSettings(npmrc === null ? "" : new TextDecoder().decode(npmrc));
  const inputs = [found.bytes, bytes, ...files.flatMap((file) => [file.directory, file.bytes])].map((each) =>
    sha256(each),
  );
  return { root, lock, manifests, settings, key: keyOf(inputs, request.toolchain, settings) };
}

const lockfileOf: Readonly<Record<string, string>> = { pnpm: "pnpm-lock.yaml", yarn: "yarn.lock", bun: "bun.lock" };

/** The lockfile of the manager that the manifest names, npm's where it names none. */
function missing(root: string, manager: string | null): TrueupError {
  const file = lockfileOf[manager ?? ""];
  const hint = `Run \`${manager ?? ""} install\` and commit its ${file ?? ""}: dependencies are installed only from a committed lockfile.`;
  const subject = inRoot(root, file ?? "package-lock.json");
  return new TrueupError("lockfile-missing", { subject, ...(file === undefined ? {} : { hint }) });
}

function keyOf(inputs: readonly Digest[], toolchain: ResolvedToolchain, settings: NpmSettings): Digest {
  const { nodeVersion, nodeAbi, npmVersion } = toolchain;
  const machine = [process.platform, process.arch];
  return digestOf({ version: 1, inputs, node: [nodeVersion, nodeAbi], npm: npmVersion, machine, settings });
}

/** The plan for one published package on its own, by a lockfile made of its integrity. Throws `lockfile-invalid` for a bad one. */
export function planTool(
  tool: { readonly name: string; readonly version: string; readonly integrity: string },
  key: Digest,
): InstallPlan {
  const { name, version, integrity } = tool;
  const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const dependencies = { [name]: version };
  const manifest = encode({ name: "tool", private: true, dependencies });
  const packages = { "": { name: "tool", dependencies }, [`node_modules/${name}`]: { version, integrity } };
  const lock = parseLockfile(
    encode({ name: "tool", lockfileVersion: 3, requires: true, packages }),
    `${name}@${version}`,
  );
  const manifests = new Map([["", parseManifest(manifest, `${name}@${version}`)]]);
  checkSources(lock, [...manifests.values()]);
  const settings: NpmSettings = { flags: [], ignoreScripts: true };
  return { root: "", lock, manifests, settings, key };
}

/** The key of one published package on its own; without an integrity it stands for what the registry said first. */
export function toolKey(
  tool: { readonly name: string; readonly version: string; readonly integrity: string | null },
  toolchain: ResolvedToolchain,
): Digest {
  return digestOf({ version: 1, tool, npm: toolchain.npmVersion, machine: [process.platform, process.arch] });
}

/** `packageManager` decides where there are two lockfiles; another manager's lockfile alone is refused. */
async function refuseOtherManagers(
  reader: TreeReader,
  root: string,
  npm: { readonly manifest: Manifest; readonly hasLock: boolean },
): Promise<void> {
  const wanted = npm.manifest.packageManager;
  for (const [file, manager] of Object.entries(otherLockfiles)) {
    const decided = wanted === manager || (!npm.hasLock && wanted !== "npm");
    if (!decided || (await reader.read(inRoot(root, file))) === null) continue;
    throw new TrueupError("lockfile-unsupported", { subject: inRoot(root, file) });
  }
}

async function readLock(
  reader: TreeReader,
  root: string,
): Promise<{ readonly path: string; readonly bytes: Uint8Array } | null> {
  for (const name of npmLockfiles) {
    const bytes = await reader.read(inRoot(root, name));
    if (bytes !== null) return { path: inRoot(root, name), bytes };
  }
  return null;
}

interface MemberFile {
  readonly directory: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

async function readMemberManifests(
  reader: TreeReader,
  plan: { readonly root: string; readonly lock: Lockfile; readonly manifest: Manifest },
): Promise<readonly MemberFile[]> {
  const members = plan.lock.packages
    .map((each) => each.location)
    .filter((each) => !each.includes("node_modules/") && isWorkspace(plan.manifest, each));
  return Promise.all(
    members.map(async (directory) => {
      const path = inRoot(plan.root, `${directory}/package.json`);
      const bytes = await reader.read(path);
      if (bytes !== null) return { directory, path, bytes };
      throw new TrueupError("lockfile-out-of-step", {
        subject: plan.lock.path,
        detail: `it names the workspace ${directory}, which has no package.json`,
      });
    }),
  );
}

function parentOf(directory: string): string | null {
  if (directory === "") return null;
  const at = directory.lastIndexOf("/");
  return at < 0 ? "" : directory.slice(0, at);
}
