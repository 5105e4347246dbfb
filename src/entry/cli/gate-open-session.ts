import { gateSession } from "../../app/gate-session/gate-session.ts";
import type { Judged } from "../../app/gather/evaluate-change.ts";
import { recoverInterrupted } from "../../app/run-command-line/recover-interrupted.ts";
import { createRunPorts, findSession, openSessionStore } from "../run/session-ports.ts";
import { createHookTrace } from "../../adapters/session-store/files/hook-trace.ts";
import { createSystemClock } from "../../adapters/machine/node/clock.ts";
import { createGit } from "./create-git.ts";
import { createSignatures } from "./create-signatures.ts";
import { createOutDirectory } from "./places.ts";
import { readInput } from "./read-input.ts";
import { createRenderers } from "./renderers.ts";
import type { Terminal } from "./terminal.ts";

export interface SessionGateOptions {
  readonly strict: boolean;
  readonly failedRecords: "retries" | "any" | null;
  /** A file with what the agent said of its work, for display and warnings. */
  readonly claim: string | null;
  /** Judges the index instead of the work tree. */
  readonly staged?: { readonly indexFile: string | null };
}

export interface SessionGateResult {
  readonly judged: Judged;
  readonly directory: string;
}

/** Judges the open session of this work tree by what it recorded; commands whose runner died count as such. */
export async function gateOpenSession(terminal: Terminal, options: SessionGateOptions): Promise<SessionGateResult> {
  const sessions = openSessionStore(terminal.env);
  const session = await findSession(sessions, terminal.cwd, terminal.env);
  const ports = createRunPorts(sessions, session);
  await recoverInterrupted(ports);
  const out = await createOutDirectory(terminal, null);
  const judged = await gateSession(
    {
      session,
      policy: {
        minimum_grade: "D",
        strict: options.strict,
        ...(options.failedRecords === null ? {} : { failed_records: options.failedRecords }),
      },
      claim: options.claim === null ? null : await readInput(terminal, options.claim),
      ...(options.staged === undefined ? {} : { staged: options.staged }),
      write: out.write,
    },
    {
      git: await createGit(terminal),
      log: ports.log,
      watch: ports.watch,
      signatures: await createSignatures(terminal),
      clock: createSystemClock(),
      hooks: createHookTrace(sessions.directoryOf(session.id)),
      renderers: createRenderers(),
    },
  );
  return { judged, directory: out.directory };
}
