import semver from "semver";
import { TrueupError } from "../../../errors.ts";
import type { LockedPackage, Lockfile } from "./lockfile.ts";
import type { Manifest } from "../shared/manifest.ts";

/**
 * Refuses a lockfile that was not made for these manifests: a dependency it does not hold, or a locked version outside
 * the range asked for. `directories` are the manifests' own, `""` first. npm checks the rest. Throws `lockfile-out-of-step`.
 */
export function checkInStep(lock: Lockfile, manifests: ReadonlyMap<string, Manifest>): void {
  const byLocation = new Map(lock.packages.map((each) => [each.location, each]));
  for (const [directory, manifest] of manifests) {
    if (directory !== "" && !byLocation.has(directory))
      throw outOfStep(lock, `the workspace ${directory} is not in it`);
    const required = new Map([...manifest.development, ...manifest.production]);
    for (const [name, spec] of required) {
      if (manifest.optional.has(name)) continue;
      const locked = findLocked(byLocation, directory, name);
      if (locked === null) throw outOfStep(lock, `${manifest.path} asks for ${name} ${spec}, which is not in it`);
      if (!isSatisfied(lock, locked, { directory, name, spec })) {
        throw outOfStep(lock, `${manifest.path} asks for ${name} ${spec}, it holds ${locked.version ?? "no version"}`);
      }
    }
  }
}

/** As node resolves: the nearest `node_modules` upwards. */
function findLocked(
  byLocation: ReadonlyMap<string, LockedPackage>,
  directory: string,
  name: string,
): LockedPackage | null {
  const parts = directory === "" ? [] : directory.split("/");
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const locked = byLocation.get([...parts.slice(0, depth), "node_modules", name].join("/"));
    if (locked !== undefined) return locked;
  }
  return null;
}

interface Wish {
  readonly directory: string;
  readonly name: string;
  readonly spec: string;
}

function isSatisfied(lock: Lockfile, locked: LockedPackage, { directory, name, spec }: Wish): boolean {
  if (locked.link || (directory === "" && lock.rootSpecs.get(name) === spec)) return true;
  const range = semver.validRange(spec.replace(/^npm:(?:@[^@/]+\/)?[^@]+@?/u, ""));
  // A tag or another kind of spec says nothing about versions; npm compares it with what the lock recorded.
  if (range === null) return directory !== "";
  return locked.version !== null && semver.satisfies(locked.version, range, { includePrerelease: true });
}

function outOfStep(lock: Lockfile, detail: string): TrueupError {
  return new TrueupError("lockfile-out-of-step", { subject: lock.path, detail });
}
