export { createBubblewrapSandbox, type BubblewrapOptions } from "./bubblewrap-sandbox.ts";
export { seccompProgram } from "./seccomp-program.ts";
