import { createProcessTerminal } from "./process-terminal.ts";
import { runFastHook } from "./run-fast-hook.ts";

// The hooks that hold somebody up: they load what a gate over records needs, and no command line library.
void runFastHook(process.argv.slice(4), createProcessTerminal()).then((code) => {
  process.exitCode = code;
});
