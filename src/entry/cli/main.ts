import { TrueupError } from "../../errors.ts";
import { runCli } from "./run-cli.ts";

/** Where the command was typed; the directory's old name when somebody has removed it meanwhile. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}
const output: { failure: NodeJS.ErrnoException | null } = { failure: null };
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  output.failure ??= error;
});
// Where complaints go is gone: there is nobody left to complain to.
process.stderr.on("error", () => undefined);

process.exitCode = await runCli(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  openStdin: () => process.stdin,
  env: process.env,
  cwd: currentDirectory(),
  signal: controller.signal,
});
// What the last write met is told only in the next turn.
await new Promise((resolve) => setImmediate(resolve));
// A reader that went away (`| head`) has what it wanted; a result that could not be written was not given.
if (output.failure !== null && output.failure.code !== "EPIPE") {
  const { code, message, hint } = new TrueupError("output-failed", { detail: output.failure.code ?? "unknown" });
  process.stderr.write(`trueup: ${message} [${code}]\n  ${hint}\n`);
  process.exitCode = 2;
}
