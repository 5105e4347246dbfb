import { access, constants, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";

/** A program found on the PATH: where it was named and what it really is. */
export interface FoundProgram {
  readonly path: string;
  readonly real: string;
}

/**
 * Every program of that name on a PATH, in order, without repeats. Directories that a repository or an agent could
 * fill are passed over: relative ones, any `node_modules/.bin`, and everything under our own package.
 */
export async function findPrograms(
  name: string,
  searchPath: string,
  ownPackageRoot: string,
): Promise<readonly FoundProgram[]> {
  const found: FoundProgram[] = [];
  for (const directory of searchPath.split(delimiter)) {
    if (!isAbsolute(directory) || (await isPassedOver(directory, ownPackageRoot))) continue;
    const real = await realProgram(join(directory, name));
    if (real !== null && !found.some((each) => each.real === real)) found.push({ path: join(directory, name), real });
  }
  return found;
}

async function isPassedOver(directory: string, ownPackageRoot: string): Promise<boolean> {
  const real = await realpath(directory).catch(() => directory);
  return [directory, real].some(
    (each) =>
      `${each}${sep}`.includes(`${sep}node_modules${sep}.bin${sep}`) ||
      `${each}${sep}`.startsWith(`${ownPackageRoot}${sep}`),
  );
}

/** The real path of an executable regular file, or null. */
async function realProgram(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    await access(real, constants.X_OK);
    return (await stat(real)).isFile() ? real : null;
  } catch {
    return null;
  }
}
