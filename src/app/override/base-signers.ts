import { allowedSignersPath, parseAllowedSigners, type AllowedSigner } from "../../core/override/index.ts";
import type { CommitRef, Mirror } from "../../ports/index.ts";

/** Who may override, by the base revision: the file's bytes and its lines with a key. */
export interface BaseSigners {
  readonly bytes: Uint8Array;
  readonly signers: readonly AllowedSigner[];
}

/** Reads `.trueup/allowed_signers` of base, the only copy that counts. */
export async function readBaseSigners(mirror: Mirror, base: CommitRef): Promise<BaseSigners> {
  const bytes = (await mirror.readFile(base.tree, allowedSignersPath)) ?? new Uint8Array();
  return { bytes, signers: parseAllowedSigners(new TextDecoder().decode(bytes)) };
}
