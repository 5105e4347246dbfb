export { createBubblewrapSandbox } from "./bubblewrap-sandbox.ts";
export type { BubblewrapOptions } from "./setup.ts";
