import { spawn } from "node:child_process";
import { planSpawn } from "./exact-argv.ts";

/**
 * Starts a process that outlives us, in a session of its own without any of our streams, and returns the first line it
 * prints; null when it ends without one.
 */
export async function launchDetached(
  argv: readonly Uint8Array[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const plan = planSpawn(argv, environment);
  if ("kind" in plan) return null;
  const child = spawn(plan.file, [...plan.args], {
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const line = await new Promise<string | null>((resolve) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.stdout.on("close", () => resolve(null));
    child.on("error", () => resolve(null));
  });
  child.stdout.destroy();
  child.unref();
  return line;
}
