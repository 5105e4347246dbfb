import type { LockedVersions } from "../../../ports/index.ts";
import { inRoot } from "../shared/installed.ts";
import type { EmptyPlan, InstallPlan } from "./install-plan.ts";
import type { LockedPackage } from "./lockfile.ts";

/** Looks a package up in the lockfiles as node would in what they install: in `node_modules` from `cwd` upwards. */
export function lockedVersions(plans: readonly (InstallPlan | EmptyPlan)[]): LockedVersions {
  const places = new Map<string, string | null>();
  for (const plan of plans) {
    for (const locked of plan.lock?.packages ?? [])
      places.set(inRoot(plan.root, locked.location), versionOf(plan, locked));
  }
  return (cwd, name) => {
    const parts = cwd.split("/").filter((part) => part !== "" && part !== ".");
    for (let depth = parts.length; depth >= 0; depth -= 1) {
      const version = places.get(inRoot(parts.slice(0, depth).join("/"), `node_modules/${name}`));
      if (version !== undefined) return version;
    }
    return null;
  };
}

/** A workspace is linked into `node_modules`; its version stands at its own place, or only in its manifest. */
function versionOf(plan: InstallPlan | EmptyPlan, locked: LockedPackage): string | null {
  if (!locked.link) return locked.version;
  return plan.lock?.packages.find((one) => one.location === locked.resolved)?.version ?? null;
}
