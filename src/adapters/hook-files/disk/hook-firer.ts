import { spawn } from "node:child_process";
import type { HookFirer } from "../../../ports/index.ts";

const patienceMs = 20_000;
/** What a probe prints is one line. */
const mostBytes = 65_536;

/** Starts hooks as processes of this machine, with the environment of the person who asks. */
export function createHookFirer(environment: Readonly<Record<string, string | undefined>>): HookFirer {
  return {
    fire: async ({ argv, cwd, input, env }) =>
      new Promise((resolve) => {
        const [program = "", ...args] = argv;
        const child = spawn(program, args, {
          cwd,
          env: { ...environment, ...env },
          stdio: ["pipe", "pipe", "ignore"],
          timeout: patienceMs,
          killSignal: "SIGKILL",
        });
        let text = "";
        child.stdout.on("data", (bytes: Buffer) => {
          if (text.length < mostBytes) text += bytes.toString("utf8");
        });
        child.on("error", () => resolve(null));
        child.on("close", (_code, signal) => resolve(signal === null ? text : null));
        // A hook that reads nothing closes its end first.
        child.stdin.on("error", () => undefined);
        child.stdin.end(input);
      }),
  };
}
