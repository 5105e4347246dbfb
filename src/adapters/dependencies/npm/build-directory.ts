import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { InstallPlan } from "./install-plan.ts";
import { holderWords, isHolderAlive } from "./key-lock.ts";
import { renderProxiedLockfile, type LockedPackage } from "./lockfile.ts";
import { renderInstallManifest } from "./manifest.ts";
import { proxyOrigin } from "./npm-room.ts";

const prefix = ".build-";

/** Makes the directory of one installation: manifests and lockfile as npm shall see them, and nothing else of the repository. */
export async function openBuildDirectory(
  store: string,
  plan: InstallPlan,
  withScripts: readonly LockedPackage[],
): Promise<string> {
  await sweepDeadBuilds(store);
  const build = join(store, `${prefix}${randomUUID()}`);
  await mkdir(join(build, "npm"), { recursive: true, mode: 0o700 });
  await writeFile(join(build, "owner"), await holderWords(), { mode: 0o600 });
  for (const [directory, manifest] of plan.manifests) {
    const path = join(build, "project", directory, "package.json");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      renderInstallManifest(manifest, directory === "" ? withScripts.map((each) => each.name) : []),
    );
  }
  await writeFile(join(build, "project", "package-lock.json"), renderProxiedLockfile(plan.lock, proxyOrigin));
  return build;
}

/** Removes what processes that are gone left half built. */
async function sweepDeadBuilds(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    if (!name.startsWith(prefix)) continue;
    const owner = await readFile(join(store, name, "owner"), "utf8").catch(() => null);
    if (owner !== null && !(await isHolderAlive(owner))) await rm(join(store, name), { recursive: true, force: true });
  }
}

/** A short path of our own for a socket: the kernel allows about a hundred characters. */
export function openSocketDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "trueup-"));
}
