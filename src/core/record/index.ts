export type * from "./record.ts";
