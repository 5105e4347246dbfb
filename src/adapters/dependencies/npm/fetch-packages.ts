import { TrueupError } from "../../../errors.ts";
import type { SandboxResult } from "../../../ports/index.ts";
import type { FetchProxy } from "../shared/fetch-proxy.ts";
import { fetchThroughDoor, refuseFailures, tarballsOf, type RegistryAccess } from "../shared/fetch-session.ts";
import { outputOf, type InstallRun } from "../shared/install-room.ts";
import type { InstallPlan } from "./install-plan.ts";
import { registryPackages } from "./lockfile.ts";
import { explainNpmFailure } from "./npm-failure.ts";
import { runNpmCi } from "./npm-room.ts";

/** Everything one fetch needs. */
export interface FetchRequest {
  readonly run: InstallRun;
  readonly plan: InstallPlan;
  readonly report: (message: string) => void;
  readonly access: RegistryAccess;
}

/** Installs what the lockfile names into the build directory, scripts left for later. Throws the bootstrap errors. */
export async function fetchPackages(request: FetchRequest): Promise<void> {
  const { run, plan } = request;
  request.report(`installing from ${plan.lock.path}`);
  const { result, proxy } = await fetchThroughDoor(
    request.access,
    tarballsOf(registryPackages(plan.lock)),
    (socketDirectory) => runNpmCi(run, socketDirectory, plan.settings.flags),
  );
  judge(plan, proxy, result);
}

function judge(plan: InstallPlan, proxy: FetchProxy, result: SandboxResult): void {
  const succeeded = result.exit.code === 0 && result.exit.error === null;
  if (result.exit.error === "cancelled") throw new TrueupError("interrupted");
  refuseFailures(proxy, succeeded);
  if (succeeded) return;
  const failure = explainNpmFailure({ exit: result.exit, output: outputOf(result), subject: plan.lock.path });
  const refused = proxy.refused[0];
  if (failure.code === "bootstrap-failed" && refused !== undefined) {
    throw new TrueupError("lockfile-out-of-step", {
      subject: plan.lock.path,
      detail: `npm asked for something that it does not name: ${refused}`,
    });
  }
  throw new TrueupError(failure.code, failure.more);
}
