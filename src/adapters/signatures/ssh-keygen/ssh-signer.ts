import { readFile } from "node:fs/promises";
import { TrueupError } from "../../../errors.ts";
import type { Signer } from "../../../ports/index.ts";
import { runSshKeygen } from "./run-ssh-keygen.ts";

/** What of a person's environment `ssh-keygen` needs to ask for a passphrase or reach the person's own key agent. */
const passed = [
  "PATH",
  "HOME",
  "TERM",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "SSH_AUTH_SOCK",
  "SSH_ASKPASS",
  "SSH_SK_PROVIDER",
];

/** Signs with a person's key: `ssh-keygen` asks on the terminal for what the key wants. */
export function createSshSigner(environment: Readonly<Record<string, string | undefined>>): Signer {
  const own = passed.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    readPublicKey: async (key) => {
      const file = key.endsWith(".pub") ? key : `${key}.pub`;
      return readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
        throw new TrueupError("override-key-unusable", { subject: file, detail: cause.code ?? cause.message, cause });
      });
    },
    sign: async ({ text, namespace, key }) => {
      const end = await runSshKeygen({
        args: ["-q", "-Y", "sign", "-f", key, "-n", namespace],
        input: text,
        environment: Object.fromEntries(own),
        timeoutMs: null,
        showWords: true,
      });
      if (end.code === 0 && end.stdout !== "") return end.stdout;
      const detail = end.code === null ? end.stderr : `ssh-keygen ended with ${end.code}`;
      throw new TrueupError("override-key-unusable", { subject: key, detail });
    },
  };
}
