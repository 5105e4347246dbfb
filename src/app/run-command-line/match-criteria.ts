import path from "node:path";
import { parseCommand } from "../../core/contract/command-words.ts";
import type { Session } from "../../ports/index.ts";

/** The criteria of a contract whose command this is: the same words, run in the same directory. `cwd` relative to the tree. */
export function matchCriteria(
  contract: Session["contract"],
  command: { readonly argv: readonly string[]; readonly cwd: string },
): readonly string[] {
  const { tests = [], commands = [] } = contract ?? {};
  const named = [
    ...tests.map((entry, index) => ({ subject: `tests[${index}]`, entry })),
    ...commands.map((entry, index) => ({ subject: `commands[${index}]`, entry })),
  ];
  return named.flatMap(({ subject, entry }) => {
    const words = parseCommand(entry.command);
    const sameWords = words.ok && JSON.stringify(words.argv) === JSON.stringify(command.argv);
    return sameWords && path.relative(entry.cwd ?? ".", command.cwd || ".") === "" ? [subject] : [];
  });
}
