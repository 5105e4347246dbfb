export { makeHandoff, type CleanState, type Handoff } from "./make-handoff.ts";
