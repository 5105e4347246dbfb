import { runEntry } from "./run-entry.ts";

// The wrapper of every command an agent runs: it loads no command line library, no schema library and no git.
void runEntry(process.argv.slice(3), {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
}).then((code) => {
  process.exitCode = code;
});
