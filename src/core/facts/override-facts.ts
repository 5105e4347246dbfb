import type { Digest } from "../digest.ts";

/** What `ssh-keygen` said of a row's signature under the allowed signers of base. */
export type SignatureFact =
  | { readonly outcome: "verified" }
  /** `altered`: it is no signature of these bytes; `unavailable`: nobody could say. */
  | { readonly outcome: "absent" | "altered" | "unknown-signer" | "unavailable"; readonly detail: string };

/** One changed path below `.trueup/overrides/`. */
export interface OverrideRowFact {
  readonly path: string;
  /** Whether the change adds it as an ordinary file; anything else is no row that counts. */
  readonly added: boolean;
  /** The file as UTF-8; null when it is gone, no file, too long or no text. */
  readonly text: string | null;
  readonly signature: SignatureFact;
}

/** What a change says of overrides, and what base and clock say to it; absent when no path of them changed. */
export interface OverrideFacts {
  /** The change digest computed without `.trueup/overrides/**`: what rows name. */
  readonly change_digest: Digest;
  /** Keys in `.trueup/allowed_signers` of base. */
  readonly allowed_signers: number;
  /** Whether base takes only keys that want a touch. */
  readonly require_presence: boolean;
  /** ISO 8601, UTC: when this was gathered. */
  readonly judged_at: string;
  readonly rows: readonly OverrideRowFact[];
}
