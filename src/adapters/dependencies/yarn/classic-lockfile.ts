import { Buffer } from "node:buffer";
import semver from "semver";
import { TrueupError } from "../../../errors.ts";
import { proxyOrigin } from "../shared/install-room.ts";
import { parseIntegrity } from "../shared/integrity.ts";
import type { RegistryPackage } from "../shared/locked-package.ts";
import { isRegistryTarball, tarballPath } from "../shared/tarball-path.ts";
import type { YarnLockfile } from "./yarn-lockfile.ts";

interface Entry {
  readonly patterns: readonly string[];
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Reads a `yarn.lock` of yarn 1. Throws `lockfile-invalid`, and `unsupported-dependency` naming the first package that
 * comes from git, a directory or a tarball elsewhere.
 */
export function parseClassicLockfile(text: string, path: string): YarnLockfile {
  const entries = readEntries(text, path);
  const packages = entries.map((entry) => readPackage(path, entry));
  const resolved = new Map(
    entries.flatMap((entry, index) =>
      entry.patterns.map((pattern) => [pattern, packages[index]?.version ?? ""] as const),
    ),
  );
  return {
    path,
    format: "classic",
    version: 1,
    packages,
    members: [],
    resolved,
    patches: [],
    archives: new Map(),
    text: proxied(text, packages, entries),
  };
}

/** Keys at the margin, `field value` two spaces in; what lies deeper are the dependencies of an entry, which yarn reads itself. */
function readEntries(text: string, path: string): readonly Entry[] {
  const entries: { patterns: string[]; fields: Map<string, string> }[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const field = /^ {2}(\S+) (.+)$/u.exec(line);
    const last = entries.at(-1);
    if (/^\S.*:$/u.test(line)) entries.push({ patterns: splitPatterns(line.slice(0, -1)), fields: new Map() });
    else if (last === undefined || /^\s?\S/u.test(line)) throw invalid(path, `line ${index + 1} is no entry`);
    else if (field?.[1] !== undefined && field[2] !== undefined) last.fields.set(unquote(field[1]), unquote(field[2]));
  }
  return entries;
}

function splitPatterns(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|([^\s,"][^,]*)/gu)].map((match) => (match[1] ?? match[2] ?? "").trim());
}

function unquote(text: string): string {
  return text.trim().replace(/^"(.*)"$/u, "$1");
}

/** `name@range`, and `alias@npm:name@range` for a package under another name. */
const patternShape = /^((?:@[^@/\s]+\/)?[^@/\s]+)@(?:npm:((?:@[^@/\s]+\/)?[^@/\s]+)(?:@|$))?/u;

function readPackage(path: string, { patterns, fields }: Entry): RegistryPackage {
  const [first = ""] = patterns;
  const [, own, aliased] = patternShape.exec(first) ?? [];
  const name = aliased ?? own;
  const version = fields.get("version");
  if (name === undefined || version === undefined)
    throw invalid(path, `the entry ${JSON.stringify(first)} names no version`);
  const from = fields.get("resolved");
  const [address = "", sum = ""] = (from ?? "").split("#");
  if (from === undefined || !isRegistryTarball(address, name) || semver.valid(version) !== version)
    throw new TrueupError("unsupported-dependency", {
      subject: `${name}@${version}`,
      detail: `${path}: ${first} comes from ${from ?? "no registry"}`,
    });
  const integrity = fields.get("integrity") ?? fromSum(sum);
  if (integrity === null || parseIntegrity(integrity) === null)
    throw invalid(path, `${first} has no integrity that can be checked`);
  return { name, version, integrity };
}

/** Older lockfiles have only the SHA-1 behind the address. */
function fromSum(sum: string): string | null {
  return /^[0-9a-f]{40}$/u.test(sum) ? `sha1-${Buffer.from(sum, "hex").toString("base64")}` : null;
}

function proxied(text: string, packages: readonly RegistryPackage[], entries: readonly Entry[]): string {
  const addresses = new Map(
    entries.map(({ fields }, index) => {
      const { name, version } = packages[index] ?? { name: "", version: "" };
      const from = fields.get("resolved") ?? "";
      const sum = from.includes("#") ? from.slice(from.indexOf("#")) : "";
      return [from, `${proxyOrigin}/${tarballPath(name, version)}${sum}`] as const;
    }),
  );
  return text.replace(
    /^ {2}resolved (.+)$/gmu,
    (_line, from: string) => `  resolved "${addresses.get(unquote(from)) ?? ""}"`,
  );
}

function invalid(path: string, detail: string): TrueupError {
  return new TrueupError("lockfile-invalid", {
    subject: path,
    detail,
    hint: "Run `yarn install` and commit the lockfile.",
  });
}
