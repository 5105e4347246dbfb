export type * from "./agent.ts";
export type * from "./dependencies.ts";
export type * from "./forge.ts";
export type * from "./git.ts";
export type * from "./machine.ts";
export type * from "./sandbox.ts";
export type * from "./toolchain.ts";
