import type { AcceptanceContract } from "../../core/contract/index.ts";
import { TrueupError } from "../../errors.ts";
import type { InstalledDependencies, ResolvedToolchain } from "../../ports/index.ts";
import { parseWords, resolveArgv } from "./run-command.ts";
import type { PlannedService } from "./with-services.ts";

/** Resolves the contract's services to programs. Throws `contract-invalid` for one whose launcher names nothing that is there. */
export async function planServices(
  contract: AcceptanceContract,
  on: { readonly toolchain: ResolvedToolchain; readonly dependencies: InstalledDependencies },
): Promise<readonly PlannedService[]> {
  return Promise.all(
    (contract.services ?? []).map(async ({ name, command, ready }, index) => ({
      name,
      argv: await resolve(command, `services[${index}].command`, on),
      ready: await resolve(ready, `services[${index}].ready`, on),
    })),
  );
}

async function resolve(
  command: string,
  subject: string,
  on: { readonly toolchain: ResolvedToolchain; readonly dependencies: InstalledDependencies },
): Promise<readonly string[]> {
  const argv = await resolveArgv(parseWords(command), { ...on, entry: {} });
  if (argv !== null) return argv;
  throw new TrueupError("contract-invalid", { subject, detail: `${command}: the dependencies have no such program` });
}
