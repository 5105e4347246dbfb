import type { SignatureFact } from "../core/facts/index.ts";

/** A text and the armoured SSH signature over it, and who is said to have made it. */
export interface SignedText {
  readonly text: string;
  readonly signature: string;
  /** The purpose it must have been made for. */
  readonly namespace: string;
  readonly user: string;
  /** The bytes of an `allowed_signers` file. */
  readonly allowedSigners: Uint8Array;
}

/** Checks signatures. What could not be checked is `unavailable`, never a pass. */
export interface Signatures {
  verify(signed: SignedText): Promise<SignatureFact>;
}

/** Lets a person sign with a key of theirs. */
export interface Signer {
  /** The text of the public half, one line. Throws `override-key-unusable`. */
  readPublicKey(key: string): Promise<string>;
  /** The armoured signature; the person may be asked for a passphrase or a touch. Throws `override-key-unusable`. */
  sign(request: { readonly text: string; readonly namespace: string; readonly key: string }): Promise<string>;
}
