import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";

/** Absolute paths of the programs the driver starts; null for what only some rungs need. */
export interface SandboxPrograms {
  readonly bwrap: string;
  readonly shell: string;
  readonly unshare: string | null;
  readonly nsenter: string | null;
}

/** The first executable regular file of that name in a colon-separated list of absolute directories. */
export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  for (const directory of searchPath.split(":")) {
    if (directory.startsWith("/") && (await isProgram(join(directory, name)))) return join(directory, name);
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Looks the driver's programs up. A shell that can close descriptors above 9 comes first: plain `sh` is often one that
 * cannot. Throws `sandbox-missing`.
 */
export async function findSandboxPrograms(searchPath: string): Promise<SandboxPrograms> {
  const bwrap = await findProgram("bwrap", searchPath);
  if (bwrap === null) throw new TrueupError("sandbox-missing");
  const system = `${searchPath}:/usr/sbin:/usr/bin:/sbin:/bin`;
  return {
    bwrap,
    shell: (await findProgram("bash", "/usr/bin:/bin")) ?? "/bin/sh",
    unshare: await findProgram("unshare", system),
    nsenter: await findProgram("nsenter", system),
  };
}
