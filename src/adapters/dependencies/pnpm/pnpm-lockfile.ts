import { parseDocument } from "yaml";
import { TrueupError } from "../../../errors.ts";
import { parseIntegrity } from "../shared/integrity.ts";
import { isObject, type JsonObject } from "../shared/json-file.ts";
import { isRegistryTarball } from "../shared/tarball-path.ts";

/** A package that a registry holds. */
export interface PnpmPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** A `pnpm-lock.yaml` of version 6 or 9. */
export interface PnpmLockfile {
  readonly path: string;
  readonly version: "6" | "9";
  readonly packages: readonly PnpmPackage[];
  /** For each member's directory relative to the lockfile (`""` is its own), the locked version of each direct dependency. */
  readonly importers: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Files of the repository that patch packages, relative to the lockfile. */
  readonly patches: readonly string[];
  /** As pnpm shall read it: without the addresses of tarballs, so that each is asked for at the one registry. */
  readonly text: string;
}

const limit = 32 * 2 ** 20;
const kinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * Reads a lockfile. Throws `lockfile-invalid`, `lockfile-unsupported` for other versions, and `unsupported-dependency`
 * naming the first package that comes from git, a tarball elsewhere, a directory that is no member, or has no integrity.
 */
export function parsePnpmLockfile(bytes: Uint8Array, path: string): PnpmLockfile {
  const json = readYaml(bytes, path);
  const version = versionOf(json, path);
  if (json["pnpmfileChecksum"] !== undefined)
    throw new TrueupError("unsupported-dependency", { subject: path, detail: "it was made through a .pnpmfile" });
  const entries = Object.entries(isObject(json["packages"]) ? json["packages"] : {});
  const packages = entries.map(([id, entry]) => parsePackage(path, { id, entry, version }));
  const importers = readImporters(json, path);
  const patches = Object.values(isObject(json["patchedDependencies"]) ? json["patchedDependencies"] : {}).flatMap(
    (patch) => (isObject(patch) && typeof patch["path"] === "string" ? [patch["path"]] : []),
  );
  return { path, version, packages, importers, patches, text: withoutTarballs(new TextDecoder().decode(bytes)) };
}

function readYaml(bytes: Uint8Array, path: string): JsonObject {
  if (bytes.length > limit) throw invalid(path, `it has ${bytes.length} bytes (limit ${limit})`);
  let value: unknown;
  try {
    const document = parseDocument(new TextDecoder("utf-8", { fatal: true }).decode(bytes), { uniqueKeys: true });
    if (document.errors[0] !== undefined) throw document.errors[0];
    value = document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw invalid(path, cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause));
  }
  if (!isObject(value)) throw invalid(path, "it is not a map");
  return value;
}

function versionOf(json: JsonObject, path: string): PnpmLockfile["version"] {
  const text = String(json["lockfileVersion"]);
  if (text === "9.0") return "9";
  if (text === "6.0" || text === "6.1") return "6";
  throw new TrueupError("lockfile-unsupported", {
    subject: path,
    detail: `lockfileVersion ${text}`,
    hint: "Versions 6 and 9 are read: run `pnpm install` with pnpm 9 or newer and commit the lockfile.",
  });
}

/** `name@1.0.0` of version 9, `/name@1.0.0(peer@2.0.0)` of version 6; anything else after the name is another source. */
function parsePackage(
  path: string,
  { id, entry, version }: { readonly id: string; readonly entry: unknown; readonly version: PnpmLockfile["version"] },
): PnpmPackage {
  const plain = (version === "6" ? id.replace(/^\//u, "") : id).replace(/\(.*$/u, "");
  const match = /^((?:@[\w.~-]+\/)?[\w~][\w.~-]*)@(\d+\.\d+\.\d+[\w.+-]*)$/u.exec(plain);
  const resolution = isObject(entry) && isObject(entry["resolution"]) ? entry["resolution"] : {};
  const [, name, published] = match ?? [];
  if (name === undefined || published === undefined)
    throw new TrueupError("unsupported-dependency", {
      subject: id.slice(0, 200),
      detail: `${path} names another source`,
    });
  const { integrity, tarball, type } = resolution;
  if (
    type !== undefined ||
    (tarball !== undefined && !(typeof tarball === "string" && isRegistryTarball(tarball, name)))
  )
    throw new TrueupError("unsupported-dependency", {
      subject: `${name}@${published}`,
      detail: `it comes from ${JSON.stringify(tarball ?? type)}`,
    });
  if (typeof integrity !== "string" || parseIntegrity(integrity) === null)
    throw invalid(path, `${id} has no integrity that can be checked`);
  return { name, version: published, integrity };
}

function readImporters(json: JsonObject, path: string): PnpmLockfile["importers"] {
  const found = isObject(json["importers"]) ? json["importers"] : { ".": json };
  const importers = new Map(
    Object.entries(found).map(([directory, entry]) => [directoryOf(directory), directOf(entry)] as const),
  );
  for (const [directory, direct] of importers) checkLinks(path, { directory, direct, importers });
  return importers;
}

function directoryOf(directory: string): string {
  return directory === "." ? "" : directory;
}

function directOf(entry: unknown): ReadonlyMap<string, string> {
  const direct = new Map<string, string>();
  for (const kind of kinds) {
    const map = isObject(entry) && isObject(entry[kind]) ? entry[kind] : {};
    for (const [name, one] of Object.entries(map)) {
      const version = isObject(one) ? one["version"] : one;
      if (typeof version === "string") direct.set(name, version.replace(/\(.*$/u, ""));
    }
  }
  return direct;
}

/** A link must lead to another member: a directory elsewhere is not in the frozen store. */
function checkLinks(
  path: string,
  at: {
    readonly directory: string;
    readonly direct: ReadonlyMap<string, string>;
    readonly importers: ReadonlyMap<string, unknown>;
  },
): void {
  for (const [name, version] of at.direct) {
    const linked = /^(?:link|file|portal):(.*)$/u.exec(version)?.[1];
    if (linked === undefined) continue;
    const target = joined(at.directory, linked);
    if (version.startsWith("link:") && target !== null && at.importers.has(target)) continue;
    throw new TrueupError("unsupported-dependency", {
      subject: name,
      detail: `${path} has ${version}, which is no member`,
    });
  }
}

function joined(from: string, to: string): string | null {
  const parts = from === "" ? [] : from.split("/");
  for (const part of to.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Tarball addresses of a registry are dropped, in block and in flow style; integrity decides, not the host. */
function withoutTarballs(text: string): string {
  return text.replace(/^\s+tarball: \S+\r?\n/gmu, "").replace(/(\{[^}\n]*?),? tarball: [^,}\s]+(?=[,}])/gu, "$1");
}

function invalid(path: string, detail: string): TrueupError {
  return new TrueupError("lockfile-invalid", { subject: path, detail });
}
