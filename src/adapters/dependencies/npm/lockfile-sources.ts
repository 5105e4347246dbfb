import { TrueupError } from "../../../errors.ts";
import { parseIntegrity } from "../shared/integrity.ts";
import { isRegistryTarball } from "../shared/tarball-path.ts";
import { isPublishedVersion, registryPackages, type LockedPackage, type Lockfile } from "./lockfile.ts";
import { isWorkspace, type Manifest } from "../shared/manifest.ts";

/** Specs that name a place instead of a published version. */
const placeSpec =
  /^(?:git\b|git\+|github:|gitlab:|bitbucket:|gist:|https?:|ssh:|[^@/\s]+\/[^/\s]+(?:#.*)?$|[^@\s:]+@[^/\s]+:)/iu;
const directorySpec = /^(?:file:|link:|portal:|\.{1,2}\/|\/|~\/)/u;

/**
 * Refuses, before anything is fetched, a lockfile that names a source without integrity: git, tarballs of other hosts,
 * directories outside the workspaces. Throws `unsupported-dependency` naming it, and `lockfile-invalid`.
 */
export function checkSources(lock: Lockfile, manifests: readonly Manifest[]): void {
  const root = manifests[0];
  if (root === undefined) return;
  for (const manifest of manifests) checkSpecs(manifest);
  for (const locked of lock.packages) checkEntry(locked, root);
  checkIntegrity(lock);
}

/** npm itself loses integrity when it rewrites a lockfile over a filled `node_modules`, so the way on is named. */
function checkIntegrity(lock: Lockfile): void {
  const without = registryPackages(lock).filter(
    ({ integrity }) => integrity === null || parseIntegrity(integrity) === null,
  );
  const [first] = without;
  if (first === undefined) return;
  const others = without.length === 1 ? "" : `, nor have ${without.length - 1} more`;
  throw new TrueupError("lockfile-invalid", {
    subject: lock.path,
    detail: `${first.location} has no integrity that can be checked${others}`,
    hint: "Delete node_modules and the lockfile, run `npm install`, and commit the lockfile.",
  });
}

function checkSpecs(manifest: Manifest): void {
  for (const [name, spec] of [...manifest.production, ...manifest.development, ...manifest.optional]) {
    if (placeSpec.test(spec)) throw unsupported(name, `${manifest.path} asks for ${spec}`);
    if (directorySpec.test(spec) && /\.(?:tgz|tar|tar\.gz)$/u.test(spec))
      throw unsupported(name, `${manifest.path} asks for ${spec}`);
  }
}

function checkEntry(locked: LockedPackage, root: Manifest): void {
  if (locked.link) {
    if (locked.resolved === null || !isWorkspace(root, locked.resolved)) {
      throw unsupported(
        locked.name,
        `${locked.location} is a link to ${locked.resolved ?? "nowhere"}, which is no workspace`,
      );
    }
    return;
  }
  if (!locked.location.includes("node_modules/")) {
    if (!isWorkspace(root, locked.location)) throw unsupported(locked.location, "a directory that is no workspace");
    return;
  }
  if (locked.bundled) return;
  checkRegistryEntry(locked);
}

function checkRegistryEntry(locked: LockedPackage): void {
  if (locked.resolved !== null && !isRegistryTarball(locked.resolved, locked.name)) {
    throw unsupported(`${locked.name}@${locked.version ?? "?"}`, `${locked.location} comes from ${locked.resolved}`);
  }
  if (!isPublishedVersion(locked.version)) {
    throw unsupported(locked.name, `${locked.location} has no published version: ${locked.version ?? "none"}`);
  }
}

function unsupported(subject: string, detail: string): TrueupError {
  return new TrueupError("unsupported-dependency", { subject, detail });
}
