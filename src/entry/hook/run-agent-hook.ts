import { realpathSync } from "node:fs";
import path from "node:path";
import { createHookTrace } from "../../adapters/session-store/files/hook-trace.ts";
import { resolvePlaces } from "../../core/config/places.ts";
import {
  decideStop,
  decideTool,
  mayGoOn,
  parseAgentEvent,
  turnKey,
  writtenBy,
  type AgentEvent,
  type WrittenPath,
} from "../../core/hooks/index.ts";
import type { HookTrace, Session } from "../../ports/index.ts";
import { gateOpenSession } from "../cli/gate-open-session.ts";
import { printError } from "../cli/print-error.ts";
import { writeLine, type Terminal } from "../cli/terminal.ts";
import { openSessionStore } from "../run/session-ports.ts";
import { readHookInput } from "./read-hook-input.ts";

interface Open {
  readonly session: Session;
  readonly trace: HookTrace;
  readonly client: string;
}

/**
 * A hook of an agent. Always 0: it fails open, as its clients do, and says on standard error why. The answer is JSON on
 * standard output; none means "go ahead".
 */
export async function runAgentHook(
  name: "stop" | "pre-tool",
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const answer = await answerAgent(name, words, terminal);
    if (answer !== null) await writeLine(terminal.stdout, JSON.stringify(answer));
  } catch (error) {
    await printError(terminal, error, false);
  }
  return 0;
}

async function answerAgent(name: "stop" | "pre-tool", words: readonly string[], terminal: Terminal): Promise<unknown> {
  const event = parseAgentEvent(await readHookInput());
  if (event === null || terminal.env["TRUEUP_HOOK"] === "off") return null;
  if (event.probe !== null) return { systemMessage: `trueup-hook-answer ${name} ${event.probe}` };
  const here = { ...terminal, cwd: event.cwd ?? terminal.cwd };
  const open = await openHere(here, words[words.indexOf("--client") + 1] ?? "unknown");
  if (open === null) return null;
  await open.trace.note({ kind: "fired", client: open.client, hook: name });
  return name === "stop" ? answerStop(event, open, here) : answerTool(event, open, here);
}

async function openHere(terminal: Terminal, client: string): Promise<Open | null> {
  const sessions = openSessionStore(terminal.env);
  const named = terminal.env["TRUEUP_SESSION"] ?? "";
  const session = await sessions.find(terminal.cwd, named === "" ? undefined : named);
  return session === null ? null : { session, client, trace: createHookTrace(sessions.directoryOf(session.id)) };
}

async function answerStop(event: AgentEvent, { trace, client }: Open, terminal: Terminal): Promise<unknown> {
  const sentBack = (await trace.read()).flatMap((note) => (note.kind === "sent-back" ? [note.turn] : []));
  if (!mayGoOn(event, sentBack)) return null;
  const { judged } = await gateOpenSession(terminal, { strict: false, failedRecords: null, claim: null });
  const answer = decideStop(judged.verdict);
  if (answer.kind === "stop") return null;
  // Noted first: an agent that cannot be remembered is not sent back, or it might be for ever.
  await trace.note({ kind: "sent-back", client, turn: turnKey(event) });
  return { decision: "block", reason: answer.reason };
}

function answerTool(event: AgentEvent, { session }: Open, terminal: Terminal): unknown {
  const written = writtenBy(event).map((said) => placeOf(said, session, terminal));
  const answer = decideTool(event, written, session.contract);
  if (answer.kind === "allow") return null;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: answer.reason,
    },
  };
}

/** Where a path leads that does not exist yet: links of the directories that do exist are followed. */
function placeOf(said: string, { work_tree: root }: Session, terminal: Terminal): WrittenPath {
  const spelled = path.resolve(terminal.cwd, said.replace(/^~(?=\/)/u, terminal.env["HOME"] ?? "~"));
  const real = realPlace(spelled);
  const within = (outer: string, place: string): string | null => {
    const relative = path.relative(outer, place);
    return relative === "" || relative.startsWith("..") || path.isAbsolute(relative) ? null : relative;
  };
  const resolved = resolvePlaces(terminal.env);
  const ours = resolved.resolved ? [resolved.places.state, resolved.places.cache].map(realPlace) : [];
  return {
    said,
    paths: [...new Set([within(root, spelled), within(root, real)])],
    inState: ours.some((place) => real === place || within(place, real) !== null),
  };
}

function realPlace(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return path.dirname(place) === place ? place : path.join(realPlace(path.dirname(place)), path.basename(place));
  }
}
