import picomatch from "picomatch";
import { TrueupError } from "../../../errors.ts";
import { isObject, parseJsonObject, stringMap, type JsonObject } from "./json-file.ts";

/** The parts of a `package.json` that decide what is installed. */
export interface Manifest {
  readonly path: string;
  readonly json: JsonObject;
  /** `dependencies`, `devDependencies`, `optionalDependencies` and `peerDependencies`, by name. */
  readonly production: ReadonlyMap<string, string>;
  readonly development: ReadonlyMap<string, string>;
  readonly optional: ReadonlyMap<string, string>;
  readonly peer: ReadonlyMap<string, string>;
  /** Globs of member packages; empty where there are none. */
  readonly workspaces: readonly string[];
  /** The name in `packageManager`, without its version. */
  readonly packageManager: string | null;
}

/** Reads a manifest. Throws `manifest-invalid`. */
export function parseManifest(bytes: Uint8Array, path: string): Manifest {
  const json = parseJsonObject(bytes, path, "manifest-invalid");
  const map = (key: string): ReadonlyMap<string, string> => {
    const found = stringMap(json[key]);
    if (found === null)
      throw new TrueupError("manifest-invalid", {
        subject: path,
        detail: `\`${key}\` is not a map of names to versions`,
      });
    return found;
  };
  const manager = json["packageManager"];
  return {
    path,
    json,
    production: map("dependencies"),
    development: map("devDependencies"),
    optional: map("optionalDependencies"),
    peer: map("peerDependencies"),
    workspaces: parseWorkspaces(json["workspaces"], path),
    packageManager: typeof manager === "string" ? (manager.split("@")[0] ?? null) : null,
  };
}

function parseWorkspaces(value: unknown, path: string): readonly string[] {
  const globs = isObject(value) ? value["packages"] : value;
  if (globs === undefined) return [];
  if (Array.isArray(globs) && globs.every((each): each is string => typeof each === "string")) return globs;
  throw new TrueupError("manifest-invalid", { subject: path, detail: "`workspaces` is not a list of globs" });
}

/** Whether anything must be installed for this manifest, with or without a lockfile. */
export function needsInstall(manifest: Manifest, hasLockfile: boolean): boolean {
  const direct = manifest.production.size + manifest.development.size + manifest.optional.size;
  return direct > 0 || manifest.workspaces.length > 0 || (hasLockfile && manifest.peer.size > 0);
}

/** Whether a directory, relative to the manifest's own, is one of its workspaces. */
export function isWorkspace(manifest: Manifest, directory: string): boolean {
  const plain = (glob: string): string => glob.replace(/^\.?\//u, "").replace(/\/+$/u, "");
  const positive = manifest.workspaces.filter((glob) => !glob.startsWith("!")).map(plain);
  const negative = manifest.workspaces.filter((glob) => glob.startsWith("!")).map((glob) => plain(glob.slice(1)));
  const matches = (globs: readonly string[]): boolean => globs.length > 0 && picomatch.isMatch(directory, [...globs]);
  return matches(positive) && !matches(negative);
}

/**
 * The manifest that npm is given: without `scripts`, so that the repository's own never run, and with the install
 * scripts of the named packages allowed by name. A package that the repository itself denies stays denied.
 */
export function renderInstallManifest(manifest: Manifest, allowed: readonly string[]): string {
  const { scripts: _scripts, ...kept } = manifest.json;
  const policy = isObject(kept["allowScripts"]) ? kept["allowScripts"] : {};
  const allowScripts = { ...Object.fromEntries(allowed.map((name) => [name, true])), ...policy };
  return `${JSON.stringify(allowed.length === 0 ? kept : { ...kept, allowScripts }, null, 2)}\n`;
}
