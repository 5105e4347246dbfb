export { contractSchema, type AcceptanceContract, type StepEntry, type TestsEntry } from "./schema.ts";
