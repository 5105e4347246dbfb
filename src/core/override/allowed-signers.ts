/** Where the people who may override stand, in OpenSSH's `ALLOWED SIGNERS` form. Only the copy of base counts. */
export const allowedSignersPath = ".trueup/allowed_signers";

/** One line: who, and which key. */
export interface AllowedSigner {
  /** As written: names or patterns. */
  readonly principals: readonly string[];
  readonly keyType: string;
  /** Base64, as in a `.pub` file. */
  readonly key: string;
}

const keyType = /^(?:ssh-|ecdsa-|sk-|rsa-sha2-)[a-z0-9@.-]+$/u;

/** The lines that name a key. Comments, empty lines and lines without a key are none; `ssh-keygen` decides what the rest means. */
export function parseAllowedSigners(text: string): readonly AllowedSigner[] {
  return text.split("\n").flatMap((line) => {
    const words = splitWords(line.trim());
    const at = words.findIndex((word, index) => index > 0 && keyType.test(word));
    const [principals, type, key] = [words[0], words[at], words[at + 1]];
    if (at < 1 || principals === undefined || principals.startsWith("#")) return [];
    if (type === undefined || key === undefined) return [];
    return [{ principals: principals.replace(/^"|"$/gu, "").split(","), keyType: type, key }];
  });
}

/** The name under which a public key (`ssh-ed25519 AAAA... comment`) is allowed; null when it is not, or only by a pattern. */
export function principalOf(signers: readonly AllowedSigner[], publicKey: string): string | null {
  const [type, key] = publicKey.trim().split(/\s+/u);
  const own = signers.filter((one) => one.keyType === type && one.key === key);
  return own.flatMap(({ principals }) => principals).find((name) => !/[*?!]/u.test(name)) ?? null;
}

/** Words of a line; what stands in double quotes is one. */
function splitWords(line: string): readonly string[] {
  return line.match(/(?:"[^"]*"|[^\s"])+/gu) ?? [];
}
