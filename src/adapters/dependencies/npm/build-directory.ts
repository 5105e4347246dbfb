import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { proxyOrigin } from "../shared/install-room.ts";
import type { InstallPlan } from "./install-plan.ts";
import { renderProxiedLockfile, type LockedPackage } from "./lockfile.ts";
import { renderInstallManifest } from "../shared/manifest.ts";

/** Writes manifests and lockfile as npm shall see them, and nothing else of the repository. */
export async function writeProject(
  build: string,
  plan: InstallPlan,
  withScripts: readonly LockedPackage[],
): Promise<void> {
  for (const [directory, manifest] of plan.manifests) {
    const path = join(build, "project", directory, "package.json");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      renderInstallManifest(manifest, directory === "" ? withScripts.map((each) => each.name) : []),
    );
  }
  await writeFile(join(build, "project", "package-lock.json"), renderProxiedLockfile(plan.lock, proxyOrigin));
}
