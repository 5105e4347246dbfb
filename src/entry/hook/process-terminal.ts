import type { Terminal } from "../cli/terminal.ts";

/** This process as a hook sees it; a reader that went away is nobody to complain to. */
export function createProcessTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => process.exit(130));
  return { stdout, stderr, env, cwd: process.cwd(), signal: controller.signal };
}
