import type { Signatures } from "../../ports/index.ts";
import type { Terminal } from "./terminal.ts";

/** Who signed what, by OpenSSH. */
export async function createSignatures(terminal: Terminal): Promise<Signatures> {
  const { createSshSignatures } = await import("../../adapters/signatures/ssh-keygen/ssh-signatures.ts");
  return createSshSignatures({ path: terminal.env["PATH"] ?? "" });
}
