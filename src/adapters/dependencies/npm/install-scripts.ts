import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import { outputOf, type InstallRun } from "../shared/install-room.ts";
import type { StoreEntry } from "../shared/store-entry.ts";
import type { InstallPlan } from "./install-plan.ts";
import type { LockedPackage } from "./lockfile.ts";
import { explainNpmFailure, findFailedPackage, tailOf } from "./npm-failure.ts";
import { runNpmRebuild } from "./npm-room.ts";

/** The locked packages that have install scripts; members of the repository are never among them. */
export function packagesWithScripts(plan: InstallPlan): readonly LockedPackage[] {
  return plan.lock.packages.filter(
    (each) => each.hasInstallScript && !each.link && !each.bundled && each.location.includes("node_modules/"),
  );
}

/**
 * Runs the install scripts of what was installed, without network. An optional package whose script fails is removed,
 * as npm does; any other ends the bootstrap. Throws `bootstrap-failed` naming the package.
 */
export async function runInstallScripts(
  run: InstallRun,
  plan: InstallPlan,
  report: (message: string) => void,
): Promise<StoreEntry["scripts"]> {
  const present: LockedPackage[] = [];
  for (const each of packagesWithScripts(plan)) {
    if ((await stat(join(run.build, "project", each.location)).catch(() => null)) !== null) present.push(each);
  }
  if (present.length === 0) return "none";
  if (plan.settings.ignoreScripts) return "skipped";
  report(`running the install scripts of ${present.map((each) => each.name).join(", ")}, without network`);
  const required = present.filter((each) => !each.optional);
  if (required.length > 0) await runRequired(run, plan, required);
  for (const each of present.filter((one) => one.optional)) await runOptional(run, plan, { locked: each, report });
  return "run-without-network";
}

async function runRequired(run: InstallRun, plan: InstallPlan, packages: readonly LockedPackage[]): Promise<void> {
  const result = await runNpmRebuild(run, packages.map(specOf), plan.settings.flags);
  if (result.exit.code === 0 && result.exit.error === null) return;
  const output = outputOf(result);
  const subject = `the install script of ${findFailedPackage(output) ?? packages.map((each) => each.name).join(", ")}`;
  const failure = explainNpmFailure({ exit: result.exit, output, subject });
  if (failure.code !== "bootstrap-failed") throw new TrueupError(failure.code, failure.more);
  throw new TrueupError("bootstrap-failed", {
    subject,
    detail: result.exit.error === null ? tailOf(output) : `ended by ${result.exit.error}`,
    hint: "Install scripts run without network. A package that must download something cannot be installed yet; one that only builds needs its tools in /usr.",
  });
}

async function runOptional(
  run: InstallRun,
  plan: InstallPlan,
  one: { readonly locked: LockedPackage; readonly report: (message: string) => void },
): Promise<void> {
  const result = await runNpmRebuild(run, [specOf(one.locked)], plan.settings.flags);
  if (result.exit.error === "cancelled") throw new TrueupError("interrupted");
  if (result.exit.code === 0 && result.exit.error === null) return;
  one.report(`the install script of the optional ${one.locked.name} failed; it is left out, as npm does`);
  await rm(join(run.build, "project", one.locked.location), { recursive: true, force: true });
}

/** npm finds packages by the folder they lie in. */
function specOf(locked: LockedPackage): string {
  return `${locked.location.slice(locked.location.lastIndexOf("node_modules/") + "node_modules/".length)}@${locked.version ?? ""}`;
}
