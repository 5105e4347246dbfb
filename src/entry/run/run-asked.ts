import { constants } from "node:os";
import type { RunArguments } from "./parse-run-arguments.ts";
import { parseSeconds } from "./parse-run-arguments.ts";
import { readDirectory, readExactWords } from "./exact-words.ts";
import { createRunPorts, findSession, openSessionStore } from "./session-ports.ts";
import { readable } from "../../app/run-command-line/plan-record.ts";
import { runCommandLine, type RunOutcome, type RunRequest } from "../../app/run-command-line/run-command-line.ts";
import { secretValues, standardRedactionRules, type RedactionRules } from "../../core/record/index.ts";
import { TrueupError } from "../../errors.ts";
import type { RunningProcess } from "../../ports/index.ts";

type Asked = Extract<RunArguments, { kind: "run" }>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Where a background command's output may lie, and what must not stand in it. */
export interface ServiceFiles {
  /** The session's directory. */
  readonly directory: string;
  readonly commandId: string;
  readonly rules: RedactionRules;
}

/** What a run needs besides its words: where output goes, and who is told when it has started. */
export interface RunPlace {
  readonly environment: Environment;
  readonly words: readonly string[];
  readonly open: (files: ServiceFiles) => ReturnType<RunRequest["open"]>;
  readonly onStarted?: (commandId: string) => void;
}

/** Runs the command in the session of this directory, with our signals passed on to it. */
export async function runAsked(asked: Asked, place: RunPlace): Promise<RunOutcome> {
  const { environment, words } = place;
  const cwd = readable(readDirectory());
  const sessions = openSessionStore(environment);
  const session = await findSession(sessions, cwd, environment);
  const rules = standardRedactionRules(secretValues(environment));
  const signals = listenForSignals();
  try {
    return await runCommandLine(
      {
        session,
        cwd,
        environment,
        rules,
        argv: readExactWords(words, words.length - asked.first),
        expectation: asked.expectation,
        retryOf: asked.retryOf,
        timeoutMs: asked.timeoutMs,
        defaultTimeoutMs: defaultTimeout(environment),
        role: asked.role,
        signal: signals.aborted,
        open: (commandId) => place.open({ directory: sessions.directoryOf(session.id), rules, commandId }),
        onStarted: (running, commandId) => {
          signals.passOnTo(running);
          place.onStarted?.(commandId);
        },
      },
      createRunPorts(sessions, session),
    );
  } finally {
    signals.close();
  }
}

/** The exit code of a wrapper: the command's, or 128 and the number of the signal that ended it. */
export function exitCodeOfRun({ exit }: RunOutcome): number {
  return typeof exit === "number" ? exit : 128 + (constants.signals[exit] ?? 0);
}

/** `TRUEUP_TIMEOUT` in seconds. A value that is none is refused: no limit is not what was asked for. */
function defaultTimeout(environment: Environment): number | null {
  const text = environment["TRUEUP_TIMEOUT"];
  if (text === undefined || text === "") return null;
  const ms = parseSeconds(text);
  if (ms === undefined) throw new TrueupError("usage", { detail: "TRUEUP_TIMEOUT is not a number of seconds" });
  return ms;
}

const passedOn = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Signals before the command runs keep it from starting; later ones are its own. */
function listenForSignals() {
  const controller = new AbortController();
  const state: { running: RunningProcess | null } = { running: null };
  const listeners = passedOn.map((name) => {
    const listener = (): void => {
      if (state.running === null) controller.abort();
      else state.running.interrupt(name);
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return {
    aborted: controller.signal,
    passOnTo: (running: RunningProcess): void => {
      state.running = running;
      if (controller.signal.aborted) running.interrupt("SIGINT");
    },
    close: (): void => listeners.forEach((remove) => remove()),
  };
}
