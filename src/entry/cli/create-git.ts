import { createCacheHolds } from "../../adapters/cache/files/cache-holds.ts";
import type { Git } from "../../ports/index.ts";
import { openPlaces } from "./places.ts";
import type { Terminal } from "./terminal.ts";

/** git in zone A. */
export async function createGit(terminal: Terminal): Promise<Git> {
  const { createGitCli } = await import("../../adapters/git/cli/create-git-cli.ts");
  const { cache } = await openPlaces(terminal);
  const agent = terminal.env["SSH_AUTH_SOCK"];
  return createGitCli({
    cacheDirectory: cache,
    holds: createCacheHolds(cache),
    path: terminal.env["PATH"] ?? "",
    environment: terminal.env,
    ...(agent === undefined ? {} : { sshAgent: agent }),
  });
}
