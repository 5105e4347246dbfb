import path from "node:path";
import type { RunPorts } from "../../app/run-command-line/run-command-line.ts";
import { createSystemClock } from "../../adapters/machine/node/clock.ts";
import { createUuidIds } from "../../adapters/machine/node/uuid-ids.ts";
import { createNodeProcessRunner } from "../../adapters/process-runner/node/node-process-runner.ts";
import { createRecordLog } from "../../adapters/record-log/files/record-log.ts";
import { createSessionStore } from "../../adapters/session-store/files/session-store.ts";
import { createStartedRuns } from "../../adapters/session-store/files/started-runs.ts";
import { createStatCacheWatch } from "../../adapters/tree-watch/stat-cache/stat-cache-watch.ts";
import { TrueupError } from "../../errors.ts";
import type { Session, SessionStore } from "../../ports/index.ts";
import { knownPlaces } from "./known-places.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The sessions of this machine. Imports nothing heavy: every command an agent runs starts with it. */
export function openSessionStore(environment: Environment): SessionStore {
  const { state } = knownPlaces(environment);
  const clock = createSystemClock();
  return createSessionStore({ state, clock, ids: createUuidIds(clock) });
}

/** The session that `directory` belongs to, or the one that `TRUEUP_SESSION` names. Throws `session-missing`. */
export async function findSession(
  sessions: SessionStore,
  directory: string,
  environment: Environment,
): Promise<Session> {
  const named = environment["TRUEUP_SESSION"];
  const session = await sessions.find(directory, named === undefined || named === "" ? undefined : named);
  if (session === null) throw new TrueupError("session-missing", { subject: directory });
  return session;
}

/** Everything that acts on one session's files. */
export function createRunPorts(sessions: SessionStore, session: Session): RunPorts {
  const directory = sessions.directoryOf(session.id);
  const clock = createSystemClock();
  return {
    clock,
    ids: createUuidIds(clock),
    runner: createNodeProcessRunner({ pipeDirectory: path.join(directory, "pipes") }),
    log: createRecordLog({ directory }),
    started: createStartedRuns(directory),
    watch: createStatCacheWatch({
      root: session.work_tree,
      cacheFile: path.join(directory, "tree-cache"),
      trackedFile: path.join(directory, "tracked"),
      now: clock.now,
    }),
  };
}
