export type * from "./change-facts.ts";
export type * from "./direction-facts.ts";
export type * from "./facts.ts";
export type * from "./held-out-facts.ts";
export type * from "./lint-facts.ts";
export type * from "./mutation-facts.ts";
export type * from "./run-facts.ts";
export type * from "./record-facts.ts";
