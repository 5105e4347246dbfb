import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SignatureFact } from "../../../core/facts/index.ts";
import type { Signatures, SignedText } from "../../../ports/index.ts";
import { runSshKeygen, type SshKeygenEnd } from "./run-ssh-keygen.ts";

export interface SshSignaturesOptions {
  /** Where `ssh-keygen` is looked for. */
  readonly path: string;
}

const timeoutMs = 30_000;

/** Checks signatures with `ssh-keygen -Y`, in a private directory, with an environment in which no key and no agent is. */
export function createSshSignatures(options: SshSignaturesOptions): Signatures {
  return {
    verify: async (signed) => {
      const room = await mkdtemp(path.join(tmpdir(), "trueup-signature-"));
      try {
        return await verifyIn(room, signed, options);
      } finally {
        await rm(room, { recursive: true, force: true });
      }
    },
  };
}

async function verifyIn(room: string, signed: SignedText, options: SshSignaturesOptions): Promise<SignatureFact> {
  const [signature, signers] = [path.join(room, "signature"), path.join(room, "allowed_signers")];
  await writeFile(signature, signed.signature, { mode: 0o600 });
  await writeFile(signers, signed.allowedSigners, { mode: 0o600 });
  const run = (args: readonly string[]): Promise<SshKeygenEnd> =>
    runSshKeygen({
      args: [...args, "-n", signed.namespace, "-s", signature],
      input: signed.text,
      environment: { PATH: options.path, HOME: room },
      timeoutMs,
      showWords: false,
    });
  // First the bytes, then the person: so an altered row and a stranger's key are told apart.
  const whole = await run(["-Y", "check-novalidate"]);
  if (whole.code === null) return { outcome: "unavailable", detail: `ssh-keygen: ${lastLine(whole.stderr)}` };
  if (whole.code !== 0) return { outcome: "altered", detail: "the signature is not one of this row" };
  const known = await run(["-Y", "verify", "-f", signers, "-I", signed.user]);
  if (known.code === 0) return { outcome: "verified" };
  if (known.code === null) return { outcome: "unavailable", detail: `ssh-keygen: ${lastLine(known.stderr)}` };
  return { outcome: "unknown-signer", detail: "base does not allow this key for this user" };
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
}
