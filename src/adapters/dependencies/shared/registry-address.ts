import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { TrueupError } from "../../../errors.ts";
import type { ResolvedToolchain } from "../../../ports/index.ts";

const run = promisify(execFile);

/**
 * The registry that this machine's npm is configured for: from its variable, else by asking the toolchain's npm in a
 * directory outside every repository. Throws `bootstrap-failed` when it gives no http address.
 */
export async function readRegistryAddress(options: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly toolchain: ResolvedToolchain;
  readonly neutralDirectory: string;
}): Promise<string> {
  const { environment, toolchain } = options;
  const told = environment["npm_config_registry"] ?? environment["NPM_CONFIG_REGISTRY"];
  const answer = told ?? (await askNpm(environment, toolchain, options.neutralDirectory));
  if (/^https?:\/\/[^\s]+$/u.test(answer) && URL.canParse(answer)) return answer;
  throw new TrueupError("bootstrap-failed", {
    subject: "npm config get registry",
    detail: `it answered ${answer}`,
    hint: "Set npm's `registry` to an http address.",
  });
}

async function askNpm(
  environment: Readonly<Record<string, string | undefined>>,
  toolchain: ResolvedToolchain,
  cwd: string,
): Promise<string> {
  const node = onHost(toolchain, toolchain.node);
  const cli = onHost(toolchain, toolchain.npmCli ?? "");
  try {
    const { stdout } = await run(node, [cli, "config", "get", "registry", "--no-update-notifier"], {
      cwd,
      env: { ...environment },
      timeout: 30_000,
    });
    return stdout.trim();
  } catch (cause) {
    throw new TrueupError("bootstrap-failed", { subject: "npm config get registry", cause });
  }
}

/** The host's path of a program that is bound into the sandbox. */
function onHost(toolchain: ResolvedToolchain, inside: string): string {
  for (const mount of toolchain.mounts) {
    if (mount.kind !== "tmpfs" && inside.startsWith(`${mount.target}/`))
      return mount.source + inside.slice(mount.target.length);
  }
  return inside;
}
