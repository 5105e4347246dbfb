import { TrueupError } from "../../../errors.ts";
import type { ResolvedToolchain, SandboxResult } from "../../../ports/index.ts";
import { homeInside, proxyOrigin, runThroughDoor, runWithoutNetwork, type InstallRun } from "../shared/install-room.ts";

/** Every flag that keeps npm to what it was given: no user or global configuration, no audit, no notice, no retry of its own. */
const fixedFlags = [
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--no-progress",
  "--color=false",
  "--loglevel=warn",
  "--logs-max=0",
  "--fetch-retries=0",
  "--userconfig=/nonexistent/user",
  "--globalconfig=/nonexistent/global",
  `--cache=${homeInside}/cache`,
];

/** Runs `npm ci` without scripts, its only way out the socket in `socketDirectory`. */
export function runNpmCi(run: InstallRun, socketDirectory: string, flags: readonly string[]): Promise<SandboxResult> {
  const npm = npmArgv(run.toolchain, [
    "ci",
    "--ignore-scripts",
    `--registry=${proxyOrigin}/`,
    "--replace-registry-host=always",
    ...fixedFlags,
    ...flags,
  ]);
  return runThroughDoor(run, socketDirectory, npm);
}

/** Runs the install scripts of the named packages (`name@version`), without any network. */
export function runNpmRebuild(
  run: InstallRun,
  specs: readonly string[],
  flags: readonly string[],
): Promise<SandboxResult> {
  const argv = npmArgv(run.toolchain, [
    "rebuild",
    ...fixedFlags,
    "--offline",
    "--foreground-scripts",
    ...flags,
    ...specs,
  ]);
  return runWithoutNetwork(run, argv);
}

/** npm's command line inside. Throws `toolchain-missing` and `toolchain-mismatch`: versions before 7 read no lockfile of today. */
function npmArgv(toolchain: ResolvedToolchain, args: readonly string[]): readonly string[] {
  if (toolchain.npmCli === null || toolchain.npmVersion === null)
    throw new TrueupError("toolchain-missing", { subject: "npm" });
  if (Number.parseInt(toolchain.npmVersion, 10) < 7) {
    throw new TrueupError("toolchain-mismatch", {
      subject: `npm ${toolchain.npmVersion}`,
      detail: "npm 7 or newer is needed",
    });
  }
  return [toolchain.node, toolchain.npmCli, ...args];
}
