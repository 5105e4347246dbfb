import { Buffer } from "node:buffer";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { TrueupError } from "../../../errors.ts";
import type { PnpmLockfile } from "./pnpm-lockfile.ts";

/** A version of pnpm, with its integrity where the repository or we pin it. */
export interface PnpmVersion {
  readonly version: string;
  readonly integrity: string | null;
}

/** For repositories that name no version: the newest that reads and writes their lockfile as it is. */
const byLockfile: Readonly<Record<PnpmLockfile["version"], PnpmVersion>> = {
  "6": { version: "8.15.9", integrity: null },
  "9": { version: "10.34.9", integrity: null },
};

const newestScript = 11;
const lastScript: PnpmVersion = { version: "11.28.11", integrity: null };

/**
 * The version that `packageManager` pins (`pnpm@10.1.0+sha512.<hex>`), else the one for the lockfile. Throws
 * `toolchain-mismatch` for a pin that is no exact version.
 */
export function choosePnpm(packageManager: string | null, lockfile: PnpmLockfile["version"]): PnpmVersion {
  if (packageManager === null || !packageManager.startsWith("pnpm@")) return byLockfile[lockfile];
  const [wanted = "", hash] = packageManager.slice("pnpm@".length).split("+");
  if (semver.valid(wanted) !== wanted)
    throw new TrueupError("toolchain-mismatch", {
      subject: packageManager,
      detail: "`packageManager` names no exact version",
    });
  // From 12 on pnpm is a native program that is not run here; 11 reads the same lockfile.
  if (semver.major(wanted) > newestScript) return lastScript;
  return { version: wanted, integrity: hash === undefined ? null : integrityOf(packageManager, hash) };
}

/** `sha512.<hex>` as subresource integrity. */
function integrityOf(packageManager: string, hash: string): string {
  const [, algorithm, hex] = /^(sha512|sha384|sha256)\.([0-9a-f]+)$/u.exec(hash) ?? [];
  if (algorithm !== undefined && hex !== undefined) return `${algorithm}-${Buffer.from(hex, "hex").toString("base64")}`;
  throw new TrueupError("toolchain-mismatch", { subject: packageManager, detail: "its hash is of no known kind" });
}

/** A pnpm on the host. */
export interface PnpmProgram {
  /** Its package's directory. */
  readonly directory: string;
  /** Its script below that directory. */
  readonly script: string;
  /** A directory that holds `pnpm`, a launcher for the script where it lies inside. */
  readonly launchers: string;
}

/** Where pnpm's package lies inside. */
export const pnpmInside = "/opt/trueup/pnpm";

/** Finds pnpm's script and writes its launcher. Throws `toolchain-mismatch` where it does not run on that node. */
export async function openPnpmProgram(
  place: { readonly directory: string; readonly launchers: string },
  nodeVersion: string,
): Promise<PnpmProgram> {
  const manifest = JSON.parse(await readFile(join(place.directory, "package.json"), "utf8")) as {
    readonly version: string;
    readonly bin: { readonly pnpm: string };
    readonly engines?: { readonly node?: string };
  };
  const range = manifest.engines?.node ?? "*";
  if (!semver.satisfies(nodeVersion, range))
    throw new TrueupError("toolchain-mismatch", {
      subject: `node ${nodeVersion}`,
      detail: `pnpm ${manifest.version} wants ${range}`,
    });
  const launchers = join(place.launchers, `pnpm-${manifest.version}`);
  await mkdir(launchers, { recursive: true, mode: 0o755 });
  await writeFile(join(launchers, "pnpm"), launcher(manifest.bin.pnpm), { mode: 0o755 });
  return { directory: place.directory, script: manifest.bin.pnpm, launchers };
}

/** Settings by both of pnpm's spellings: no second pnpm, and no look at whether `node_modules` is as it would make it. */
function launcher(script: string): string {
  const settings = ["manage_package_manager_versions=false", "verify_deps_before_run=false", "pm_on_fail=ignore"];
  const words = ["npm_config_", "pnpm_config_"].flatMap((prefix) => settings.map((each) => `${prefix}${each}`));
  return `#!/bin/sh\nexec env ${words.join(" ")} node ${pnpmInside}/${script} "$@"\n`;
}
