import { writeLine, type Terminal } from "../cli/terminal.ts";

/** Tells `trueup doctor` that the hook of this name is reached. Never a pass: nobody gets by a hook with a probe. */
export async function answerProbe(name: string, terminal: Terminal): Promise<number> {
  await writeLine(terminal.stdout, `trueup-hook-answer ${name}`);
  return 1;
}
