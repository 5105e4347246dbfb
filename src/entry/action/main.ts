import { printError } from "../cli/print-error.ts";
import { runCi } from "../cli/run-ci.ts";
import type { Terminal } from "../cli/terminal.ts";
import { tellError } from "./tell-error.ts";
import { readActionInputs } from "./read-action-inputs.ts";

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  });
}

const given = { ...process.env };
// Whatever is started from here on finds no token and no input in what it inherits.
for (const name of Object.keys(given)) {
  if (name.startsWith("INPUT_") || name.endsWith("_TOKEN")) delete process.env[name];
}
const terminal = (env: Terminal["env"], cwd: string): Terminal => ({
  stdout: process.stdout,
  stderr: process.stderr,
  env,
  cwd,
  signal: controller.signal,
});
try {
  const { options, environment, directory } = readActionInputs(given);
  process.exitCode = await runCi(terminal(environment, directory), options);
} catch (error) {
  process.exitCode = await printError(terminal({}, "/"), error, false);
  await tellError(given, error);
}
