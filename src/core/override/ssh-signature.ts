import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** What an SSH signature says of itself. Nothing in it is proven before `ssh-keygen` has verified it. */
export interface SshSignature {
  /** `ssh-ed25519`, `sk-ssh-ed25519@openssh.com`, ... */
  readonly keyType: string;
  readonly namespace: string;
  /** As `ssh-keygen -l` prints it: `SHA256:` and base64. */
  readonly fingerprint: string;
  /** Whether a person touched the key; null for a key that cannot ask for one. */
  readonly touched: boolean | null;
}

const armour = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\n?$/u;
/** Bit of a security key's flags: somebody was there. */
const userPresent = 0x01;

/** Reads the armoured form that `ssh-keygen -Y sign` writes; null when it is not exactly that. */
export function decodeSshSignature(text: string): SshSignature | null {
  const body = armour.exec(text.replace(/\r\n/gu, "\n"))?.[1];
  if (body === undefined) return null;
  const bytes = Buffer.from(body.replace(/\n/gu, ""), "base64");
  if (bytes.length < 10 || bytes.toString("latin1", 0, 6) !== "SSHSIG" || bytes.readUInt32BE(6) !== 1) return null;
  const fields = readStrings(bytes.subarray(10));
  if (fields?.length !== 5) return null;
  const [publicKey, namespace, , , signature] = fields;
  const keyType = firstString(publicKey);
  if (publicKey === undefined || keyType === null || namespace === undefined || signature === undefined) return null;
  const touched = isSecurityKey(keyType) ? touchOf(signature) : null;
  const fingerprint = createHash("sha256").update(publicKey).digest("base64").replace(/=+$/u, "");
  return { keyType, namespace: namespace.toString("utf8"), fingerprint: `SHA256:${fingerprint}`, touched };
}

/** Whether a key of this type lies in a device that asks for a touch. */
export function isSecurityKey(keyType: string): boolean {
  return keyType.startsWith("sk-");
}

/** Every length-prefixed string of the bytes; null when a length leads past the end. */
function readStrings(bytes: Buffer): readonly Buffer[] | null {
  const found: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return null;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function firstString(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || bytes.length < 4) return null;
  const length = bytes.readUInt32BE(0);
  return 4 + length > bytes.length ? null : bytes.toString("latin1", 4, 4 + length);
}

/** After the two strings of a security key's signature stand one byte of flags and a counter of four. */
function touchOf(signature: Buffer): boolean {
  let at = 0;
  for (let string = 0; string < 2; string += 1) {
    if (at + 4 > signature.length) return false;
    at += 4 + signature.readUInt32BE(at);
  }
  return at + 5 === signature.length && ((signature[at] ?? 0) & userPresent) !== 0;
}
