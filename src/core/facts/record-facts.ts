import type { LogReading } from "../record/index.ts";

/** The command records of one session, and the tree they are judged for. */
export interface RecordFacts {
  readonly session_id: string;
  /** Fingerprint of the judged work tree, made as the records' own; null when it could not be had. */
  readonly judged_tree: string | null;
  readonly log: LogReading;
  /** Agents whose settings had our hooks when the session began, and whether one ever fired; absent where none had. */
  readonly hooks?: readonly { readonly client: string; readonly fired: boolean }[];
}
