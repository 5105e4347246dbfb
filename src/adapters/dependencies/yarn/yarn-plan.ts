import semver from "semver";
import { digestOf, sha256, type Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { InstallRequest } from "../../../ports/index.ts";
import { inRoot } from "../shared/installed.ts";
import { isWorkspace, parseManifest, type Manifest } from "../shared/manifest.ts";
import { parseBerryLockfile } from "./berry-lockfile.ts";
import { parseClassicLockfile } from "./classic-lockfile.ts";
import { parseYarnSettings, type YarnSettings } from "./yarn-settings.ts";
import type { YarnLockfile } from "./yarn-lockfile.ts";

/** What must be installed for one root with a `yarn.lock`. */
export interface YarnPlan {
  /** Relative to the repository root; `""` is the root itself. */
  readonly root: string;
  readonly lock: YarnLockfile;
  /** By directory relative to `root`, `""` first. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly patches: ReadonlyMap<string, Uint8Array>;
  /** Null for yarn 1, of whose settings none is heeded but `ignore-scripts`. */
  readonly settings: YarnSettings | null;
  readonly ignoreScripts: boolean;
  /** The published package that is yarn, and its version. */
  readonly yarn: { readonly name: "yarn" | "@yarnpkg/cli-dist"; readonly version: string };
  readonly key: Digest;
}

/** Reads what a root needs from the tree alone; every refusal of evidence happens here. */
export async function readYarnPlan(request: InstallRequest, root: string): Promise<YarnPlan> {
  const { reader, toolchain } = request;
  const at = (name: string): string => inRoot(root, name);
  const lockBytes = await readFile(request, at("yarn.lock"));
  const text = new TextDecoder().decode(lockBytes);
  const classic = !/^__metadata:/mu.test(text);
  const lock = classic ? parseClassicLockfile(text, at("yarn.lock")) : parseBerryLockfile(text, at("yarn.lock"));
  const settings = classic ? null : parseYarnSettings(await reader.read(at(".yarnrc.yml")), at(".yarnrc.yml"));
  const manifest = parseManifest(await readFile(request, at("package.json")), at("package.json"));
  const manifests = new Map([["", manifest]]);
  for (const directory of classic ? membersOf(request, root, manifest) : lock.members) {
    const path = at(`${directory}/package.json`);
    manifests.set(directory, parseManifest(await readFile(request, path), path));
  }
  const patches = new Map<string, Uint8Array>();
  for (const patch of lock.patches) {
    if (patch.startsWith("/") || patch.split("/").includes(".."))
      throw new TrueupError("unsupported-dependency", { subject: patch, detail: "a patch outside of the repository" });
    patches.set(patch, await readFile(request, at(patch)));
  }
  const yarn = chooseYarn(manifest, lock, settings);
  const ignoreScripts = settings?.ignoreScripts ?? (await ignoresScripts(request, root));
  const key = digestOf({
    version: 1,
    manager: "yarn",
    yarn,
    lock: sha256(lock.text),
    manifests: [...manifests].map(([directory, one]) => [directory, sha256(renderYarnManifest(one))]),
    patches: [...patches].map(([path, bytes]) => [path, sha256(bytes)]),
    settings: settings?.text ?? null,
    ignoreScripts,
    node: [toolchain.nodeVersion, toolchain.nodeAbi],
    machine: [process.platform, process.arch],
  });
  return { root, lock, manifests, patches, settings, ignoreScripts, yarn, key };
}

/** Without `scripts`, so that the repository's own never run, and without the pin that would make yarn fetch another yarn. */
export function renderYarnManifest({ json }: Manifest): string {
  const { scripts: _scripts, packageManager: _manager, devEngines: _engines, ...shown } = json;
  return `${JSON.stringify(shown, null, 2)}\n`;
}

/** Yarn 1 does not lock its members: they are what the tree has under the globs. */
function membersOf(request: InstallRequest, root: string, manifest: Manifest): readonly string[] {
  const prefix = root === "" ? "" : `${root}/`;
  return request.reader.entries
    .flatMap(({ path }) =>
      path.startsWith(prefix) && path.endsWith("/package.json")
        ? [path.slice(prefix.length, -"/package.json".length)]
        : [],
    )
    .filter((directory) => isWorkspace(manifest, directory))
    .toSorted();
}

async function ignoresScripts(request: InstallRequest, root: string): Promise<boolean> {
  const files = [".yarnrc", ".npmrc"].map((name) => request.reader.read(inRoot(root, name)));
  const texts = (await Promise.all(files)).map((bytes) => new TextDecoder().decode(bytes ?? new Uint8Array()));
  return texts.some((text) => /^\s*"?(?:--)?(?:install\.)?ignore-scripts"?[\s=]+"?true"?\s*$/mu.test(text));
}

/** The version that `packageManager` pins or the repository carries, where it reads this format; else the newest that does. */
function chooseYarn(manifest: Manifest, lock: YarnLockfile, settings: YarnSettings | null): YarnPlan["yarn"] {
  const pinned = /^yarn@(\d+\.\d+\.\d+[\w.-]*)/u.exec(String(manifest.json["packageManager"]))?.[1];
  const wanted = pinned ?? settings?.carried ?? null;
  if (lock.format === "classic") {
    const own = wanted !== null && semver.major(wanted) === 1 ? wanted : "1.22.22";
    return { name: "yarn", version: own };
  }
  const newest = byVersion[lock.version] ?? newestYarn;
  const fits = wanted !== null && semver.major(wanted) === semver.major(newest);
  return { name: "@yarnpkg/cli-dist", version: fits ? wanted : newest };
}

const newestYarn = "4.18.1";

/** For repositories that name no yarn: the newest that writes their lockfile's version, so that it stays as it is. */
const byVersion: Readonly<Record<number, string>> = { 6: "3.8.7", 7: "3.8.7", 8: "4.12.0", 9: "4.14.1" };

async function readFile(request: InstallRequest, path: string): Promise<Uint8Array> {
  const bytes = await request.reader.read(path);
  if (bytes !== null) return bytes;
  throw new TrueupError("lockfile-out-of-step", {
    subject: path,
    detail: "the lockfile needs it, and it is not there",
    hint: "Run `yarn install` and commit the lockfile.",
  });
}
