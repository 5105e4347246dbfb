import semver from "semver";
import { TrueupError } from "../../../errors.ts";
import { isObject, parseJsonObject, type JsonObject } from "../shared/json-file.ts";
import { tarballPath } from "../shared/tarball-path.ts";

/** One entry of `packages`, apart from the root. */
export interface LockedPackage {
  /** Its place: `node_modules/a/node_modules/b`, or a member's directory. */
  readonly location: string;
  /** The published name: an alias's target, not the alias. */
  readonly name: string;
  readonly version: string | null;
  readonly resolved: string | null;
  readonly integrity: string | null;
  readonly link: boolean;
  /** Shipped inside the tarball of the package that holds it: marked so, with no source of its own. */
  readonly bundled: boolean;
  readonly optional: boolean;
  readonly hasInstallScript: boolean;
}

/** A `package-lock.json` or `npm-shrinkwrap.json` of version 2 or 3. */
export interface Lockfile {
  readonly path: string;
  readonly json: JsonObject;
  /** The manifest's dependencies as they were when the lock was written, of any kind. */
  readonly rootSpecs: ReadonlyMap<string, string>;
  readonly packages: readonly LockedPackage[];
}

const nameShape = /^(?:@[A-Za-z0-9~_][\w.~-]*\/)?[A-Za-z0-9~_][\w.~-]*$/u;

/** Reads a lockfile. Throws `lockfile-invalid`, and `lockfile-unsupported` for version 1. */
export function parseLockfile(bytes: Uint8Array, path: string): Lockfile {
  const json = parseJsonObject(bytes, path, "lockfile-invalid");
  const version = json["lockfileVersion"];
  if (version === 1)
    throw new TrueupError("lockfile-unsupported", {
      subject: path,
      detail: "lockfileVersion 1",
      hint: "Run `npm install` with npm 7 or newer and commit the lockfile.",
    });
  if (version !== 2 && version !== 3) throw invalid(path, `lockfileVersion is ${JSON.stringify(version) ?? "absent"}`);
  if (!isObject(json["packages"])) throw invalid(path, "`packages` is not an object");
  const entries = Object.entries(json["packages"]);
  const root = entries.find(([location]) => location === "")?.[1];
  if (!isObject(root)) throw invalid(path, 'there is no root entry `packages[""]`');
  const packages = entries
    .filter(([location]) => location !== "")
    .map(([location, entry]) => parseEntry(path, location, entry));
  return { path, json, rootSpecs: specsOf(root), packages };
}

function parseEntry(path: string, location: string, entry: unknown): LockedPackage {
  if (!isObject(entry)) throw invalid(path, `the entry of ${location} is not an object`);
  if (!isPlace(location)) throw invalid(path, `an entry lies outside the project: ${location}`);
  const text = (key: string): string | null => {
    const value = entry[key];
    if (value === undefined) return null;
    if (typeof value !== "string") throw invalid(path, `\`${key}\` of ${location} is not text`);
    return value;
  };
  const name =
    text("name") ??
    location.slice(location.lastIndexOf("node_modules/") + (location.includes("node_modules/") ? 13 : 1));
  if (location.includes("node_modules/") && !nameShape.test(name))
    throw invalid(path, `${location} has no valid package name`);
  return {
    location,
    name,
    version: text("version"),
    resolved: text("resolved"),
    integrity: text("integrity"),
    link: entry["link"] === true,
    bundled: entry["inBundle"] === true && entry["resolved"] === undefined && entry["integrity"] === undefined,
    optional: entry["optional"] === true,
    hasInstallScript: entry["hasInstallScript"] === true,
  };
}

/** A relative path that stays inside and says nothing twice. */
function isPlace(location: string): boolean {
  return !/[\\\0]/u.test(location) && location.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function specsOf(root: JsonObject): ReadonlyMap<string, string> {
  const kinds = ["peerDependencies", "devDependencies", "dependencies", "optionalDependencies"];
  return new Map(
    kinds.flatMap((kind) =>
      Object.entries(isObject(root[kind]) ? root[kind] : {}).map(([name, spec]) => [name, String(spec)] as const),
    ),
  );
}

function invalid(path: string, detail: string): TrueupError {
  return new TrueupError("lockfile-invalid", { subject: path, detail });
}

/** The packages that come from a registry: everything but links, members of the tree, and what ships inside another. */
export function registryPackages(lock: Lockfile): readonly LockedPackage[] {
  return lock.packages.filter((each) => !each.link && !each.bundled && each.location.includes("node_modules/"));
}

/**
 * The lockfile that npm is given: the same packages with the same integrity, but every registry package asked for at
 * one origin, the proxy's, whatever host the committed lock names.
 */
export function renderProxiedLockfile(lock: Lockfile, origin: string): string {
  const proxied = new Map(
    registryPackages(lock).map((each) => [each.location, `${origin}/${tarballPath(each.name, each.version ?? "")}`]),
  );
  const packages = Object.entries(lock.json["packages"] as JsonObject).map(([location, entry]) => {
    const resolved = proxied.get(location);
    return [location, resolved === undefined ? entry : { ...(entry as JsonObject), resolved }];
  });
  const { dependencies: _legacy, ...kept } = lock.json;
  return `${JSON.stringify({ ...kept, lockfileVersion: 3, packages: Object.fromEntries(packages) }, null, 2)}\n`;
}

/** Whether a locked version is one that a registry can hold. */
export function isPublishedVersion(version: string | null): version is string {
  return version !== null && semver.valid(version) === version;
}
