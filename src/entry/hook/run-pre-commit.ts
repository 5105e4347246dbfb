import path from "node:path";
import { renderTerminal } from "../../reporters/index.ts";
import { openSessionStore } from "../run/session-ports.ts";
import { gateOpenSession } from "../cli/gate-open-session.ts";
import { wantsColor, writeLine, type Terminal } from "../cli/terminal.ts";

const advice = `trueup: this commit is held up by what the session recorded and by what is staged.
  Run the acceptance commands as \`trueup run -- COMMAND\` on exactly these files, then commit again.
  A person can leave the check out once with TRUEUP_HOOK=off; the push and CI judge the change all the same.`;

/** The `pre-commit` hook: judges what is staged and what the session recorded. Silent where nobody started a session. */
export async function runPreCommit(terminal: Terminal): Promise<number> {
  const named = terminal.env["TRUEUP_SESSION"] ?? "";
  const session = named === "" ? await openSessionStore(terminal.env).find(terminal.cwd) : named;
  if (session === null) return 0;
  // `git commit -a` and `git commit FILE` make an index of their own; it is what will be committed.
  const index = terminal.env["GIT_INDEX_FILE"] ?? "";
  const staged = { indexFile: index === "" ? null : path.resolve(terminal.cwd, index) };
  const { judged } = await gateOpenSession(terminal, { strict: false, failedRecords: null, claim: null, staged });
  const { outcome } = judged.verdict;
  if (outcome === "passed") return 0;
  if (outcome === "unchecked") {
    await writeLine(terminal.stderr, "trueup: the session has no contract, nothing of this commit was checked.");
    return 0;
  }
  const report = renderTerminal(judged, { color: wantsColor(terminal, terminal.stderr) });
  await writeLine(terminal.stderr, `${report.trimEnd()}\n${advice}`);
  return 1;
}
