import semver from "semver";
import { parseDocument } from "yaml";
import { TrueupError } from "../../../errors.ts";
import { isObject, type JsonObject } from "../shared/json-file.ts";
import type { RegistryPackage } from "../shared/locked-package.ts";
import { isRegistryTarball } from "../shared/tarball-path.ts";
import type { YarnLockfile } from "./yarn-lockfile.ts";

interface Locked {
  readonly descriptors: readonly string[];
  readonly entry: JsonObject;
  readonly name: string;
  /** Protocol and what comes after it. */
  readonly reference: string;
}

/**
 * Reads a `yarn.lock` of yarn 3 and 4. Throws `lockfile-invalid`, `lockfile-unsupported` for other versions, and
 * `unsupported-dependency` naming the first package that is neither of a registry, nor a member, nor a patch of one.
 */
export function parseBerryLockfile(text: string, path: string): YarnLockfile {
  const json = readYaml(text, path);
  const version = versionOf(json, path);
  const locked = Object.entries(json).flatMap(([key, entry]) =>
    key === "__metadata" ? [] : [readLocked(path, key, entry)],
  );
  const packages = locked.filter(({ reference }) => reference.startsWith("npm:"));
  for (const one of locked) refuseElsewhere(path, one);
  return {
    path,
    format: "berry",
    version,
    packages: packages.map((one) => packageOf(path, one)),
    members: locked.flatMap(({ reference }) => memberOf(reference)).toSorted(),
    resolved: new Map(
      locked.flatMap(({ descriptors, entry }) => descriptors.map((each) => [each, String(entry["version"])])),
    ),
    patches: [...new Set(locked.flatMap(({ reference }) => patchesOf(reference)))],
    archives: new Map(packages.flatMap((one) => archiveOf(path, one))),
    text: withoutAddresses(text),
  };
}

function readYaml(text: string, path: string): JsonObject {
  const document = parseDocument(text, { uniqueKeys: true });
  const value: unknown = document.errors.length > 0 ? null : document.toJS({ maxAliasCount: 0 });
  if (isObject(value)) return value;
  throw invalid(path, document.errors[0]?.message.split("\n")[0] ?? "it is not a map");
}

function versionOf(json: JsonObject, path: string): number {
  const metadata = json["__metadata"];
  const version = Number(isObject(metadata) ? metadata["version"] : Number.NaN);
  if (version >= 6 && version <= 10) return version;
  throw new TrueupError("lockfile-unsupported", {
    subject: path,
    detail: `__metadata.version ${Number.isNaN(version) ? "is absent" : version}`,
    hint: "Versions 6 and 7 (yarn 3.2 and later) and 8 to 10 (yarn 4) are read: run `yarn install` with one of them and commit the lockfile.",
  });
}

function readLocked(path: string, key: string, entry: unknown): Locked {
  const resolution = isObject(entry) ? entry["resolution"] : undefined;
  const [, name, reference] = /^((?:@[^@/\s]+\/)?[^@/\s]+)@(.+)$/su.exec(String(resolution)) ?? [];
  if (!isObject(entry) || name === undefined || reference === undefined)
    throw invalid(path, `the entry ${JSON.stringify(key.slice(0, 100))} has no resolution`);
  return { descriptors: key.split(/,\s*/u), entry, name, reference };
}

function packageOf(path: string, { name, reference, entry }: Locked): RegistryPackage {
  const [version = "", more] = reference.slice("npm:".length).split("::");
  const address = new URLSearchParams(more ?? "").get("__archiveUrl");
  if (semver.valid(version) !== version || (address !== null && !isRegistryTarball(address, name)))
    throw unsupported(path, name, reference);
  if (entry["checksum"] === undefined && entry["conditions"] === undefined)
    throw invalid(path, `${name}@${version} has no checksum`);
  return { name, version, integrity: null };
}

/** The sum stands behind the key of the cache's format: `10c0/<hex>`; absent for packages of other platforms. */
function archiveOf(path: string, { name, reference, entry }: Locked): readonly (readonly [string, string])[] {
  const { checksum } = entry as { readonly checksum?: unknown };
  if (checksum === undefined) return [];
  const sum = /^(?:[0-9a-z]+\/)?([0-9a-f]{128})$/u.exec(typeof checksum === "string" ? checksum : "")?.[1];
  if (sum === undefined) throw invalid(path, `the checksum of ${name} is of no known kind`);
  return [[`${name}@${reference.slice("npm:".length).split("::")[0] ?? ""}`, sum]];
}

function memberOf(reference: string): readonly string[] {
  if (!reference.startsWith("workspace:")) return [];
  const directory = reference.slice("workspace:".length);
  return directory === "." ? [] : [directory];
}

const patchShape = /^patch:[^#]+#(.*)$/su;

/** Patch files of the repository; those that are built into yarn need none. */
function patchesOf(reference: string): readonly string[] {
  const list = patchShape.exec(reference)?.[1]?.split("::")[0];
  if (list === undefined) return [];
  return list.split("&").flatMap((each) => {
    const file = each.replace(/^optional!/u, "");
    return /^(?:~?builtin<.*>)$/u.test(file) ? [] : [file.replace(/^(?:~\/|\.\/)+/u, "")];
  });
}

function refuseElsewhere(path: string, { name, reference }: Locked): void {
  const patched = /^patch:([^#]+)#/su.exec(reference)?.[1];
  const source = patched === undefined ? reference : decodeURIComponent(patched).replace(/^(?:@[^@/]+\/)?[^@/]+@/u, "");
  if (/^(?:npm|workspace):/u.test(source)) return;
  throw unsupported(path, name, reference);
}

/** Without the addresses that a registry gave: each package is asked for at the usual place of the one registry. Else as it is, which yarn insists on. */
function withoutAddresses(text: string): string {
  return text.replace(/^( {2}resolution: "[^"]*?)::__archiveUrl=[^"&]*/gmu, "$1");
}

function unsupported(path: string, name: string, reference: string): TrueupError {
  return new TrueupError("unsupported-dependency", {
    subject: name,
    detail: `${path}: it comes from ${reference.slice(0, 200)}`,
  });
}

function invalid(path: string, detail: string): TrueupError {
  return new TrueupError("lockfile-invalid", {
    subject: path,
    detail,
    hint: "Run `yarn install` and commit the lockfile.",
  });
}
