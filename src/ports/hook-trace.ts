/** One line of what hooks did in a session. */
export type HookNote =
  /** The client's settings had our hooks when the session began. */
  | { readonly kind: "installed"; readonly client: string }
  | { readonly kind: "fired"; readonly client: string; readonly hook: string }
  /** The agent was sent back with findings in this turn. */
  | { readonly kind: "sent-back"; readonly client: string; readonly turn: string };

/** What hooks of an agent did in one session, oldest first. An agent could write here: it serves warnings only. */
export interface HookTrace {
  /** Waits until the note is written. Throws `state-unwritable` or `disk-full`. */
  note(note: HookNote): Promise<void>;
  read(): Promise<readonly HookNote[]>;
}
