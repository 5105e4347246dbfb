import type { SandboxMount, SandboxResult } from "../../../ports/index.ts";
import { pnpmInside, type PnpmProgram } from "./pnpm-program.ts";
import { homeInside, proxyOrigin, runThroughDoor, runWithoutNetwork, type InstallRun } from "../shared/install-room.ts";

/** Where the launcher lies inside, for `PATH`. */
export const launcherInside = "/opt/trueup/pnpm-bin";

/** Flags that keep pnpm to what it was given: its own places, copies instead of links, no second pnpm, no policy of its own. */
const fixedFlags = [
  `--config.store-dir=${homeInside}/store`,
  `--config.cache-dir=${homeInside}/cache`,
  `--config.state-dir=${homeInside}/state`,
  "--config.package-import-method=copy",
  "--reporter=append-only",
  "--config.color=never",
  "--config.update-notifier=false",
  "--config.manage-package-manager-versions=false",
  "--config.pm-on-fail=ignore",
  "--config.package-manager-strict=false",
  "--config.minimum-release-age=0",
  "--config.trust-policy=off",
  "--config.trust-lockfile=true",
  "--config.side-effects-cache=false",
  "--config.verify-deps-before-run=false",
  "--config.enable-global-virtual-store=false",
  "--config.fetch-retries=0",
];

/** The mounts of pnpm's package and its launcher. */
export function pnpmMounts({ directory, launchers }: PnpmProgram): readonly SandboxMount[] {
  return [
    { kind: "read-only", source: directory, target: pnpmInside },
    { kind: "read-only", source: launchers, target: launcherInside },
  ];
}

/** Runs `pnpm install --frozen-lockfile` without scripts, its only way out the socket in `socketDirectory`. */
export function runPnpmInstall(run: InstallRun, script: string, socketDirectory: string): Promise<SandboxResult> {
  const argv = [...pnpm(run, script), "install", "--frozen-lockfile", "--ignore-scripts", `--registry=${proxyOrigin}/`];
  return runThroughDoor(run, socketDirectory, [...argv, ...fixedFlags]);
}

/** Runs the install scripts that the repository allows, without any network. */
export function runPnpmRebuild(run: InstallRun, script: string): Promise<SandboxResult> {
  return runWithoutNetwork(run, [...pnpm(run, script), "rebuild", "--pending", "--recursive", ...fixedFlags]);
}

function pnpm(run: InstallRun, script: string): readonly string[] {
  return [run.toolchain.node, `${pnpmInside}/${script}`];
}
