import { createInterface } from "node:readline/promises";
import { TrueupError } from "../../errors.ts";
import type { Terminal } from "./terminal.ts";

/** Asks a person a yes-or-no question on stderr; anything but yes is no. Throws `consent-missing` where nobody can answer. */
export async function askConsent(terminal: Terminal, question: string): Promise<boolean> {
  const person = terminal.openStdin?.();
  if (person?.isTTY !== true || terminal.stderr.isTTY !== true) throw new TrueupError("consent-missing");
  const asked = createInterface({ input: person, output: terminal.stderr, terminal: false });
  try {
    const typed = await asked.question(`${question} [y/N] `, { signal: terminal.signal });
    return /^y(?:es)?$/iu.test(typed.trim());
  } finally {
    asked.close();
    person.pause();
  }
}
