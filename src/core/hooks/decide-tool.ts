import { matchesAny, protectedReason, type AcceptanceContract } from "../contract/index.ts";
import type { AgentEvent } from "./agent-event.ts";

/** A path that a tool call is about to write, and the same after symbolic links; relative to the work tree, or null outside it. */
export interface WrittenPath {
  readonly said: string;
  readonly paths: readonly (string | null)[];
  /** Whether it lies where Trueup keeps its own records. */
  readonly inState: boolean;
}

export type ToolAnswer = { readonly kind: "allow" } | { readonly kind: "deny"; readonly reason: string };

const pathKeys = ["file_path", "notebook_path", "path"] as const;
const writers = /^(?:write|edit|multiedit|notebookedit|update|create|str_replace.*|apply_patch|write_file|replace)$/iu;
const patchLine = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gmu;
const redirection = />{1,2}\|?\s*(?:'([^']+)'|"([^"$`]+)"|([^\s'"|;&<>()$`]+))/gu;

/** The paths, as the call spells them, that a tool would write. A shell can write in more ways than are seen here. */
export function writtenBy({ tool, input }: AgentEvent): readonly string[] {
  const texts = Object.values(input).filter((value) => typeof value === "string");
  const patched = texts.flatMap((text) => [...text.matchAll(patchLine)].map((found) => found[1] ?? ""));
  if (writers.test(tool)) {
    const named = pathKeys.map((key) => input[key]).filter((value) => typeof value === "string");
    return [...named, ...patched];
  }
  const command = commandOf(input);
  const redirected = [...command.matchAll(redirection)].map((found) => found[1] ?? found[2] ?? found[3] ?? "");
  return [...patched, ...redirected].filter((path) => path !== "" && !path.startsWith("/dev/"));
}

/** Ways to switch a layer off, or to pin something else to be judged by: a person's to take. */
const switches: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /--no-verify\b/u, what: "--no-verify leaves git's hooks out" },
  { pattern: /\bgit\b[^\n;&|]*\scommit\b[^\n;&|]*\s-[a-zA-Z]*n/u, what: "`git commit -n` leaves git's hooks out" },
  { pattern: /\bTRUEUP_HOOK\s*=/u, what: "TRUEUP_HOOK switches the hooks off" },
  { pattern: /core\.hookspath/iu, what: "core.hooksPath takes the hooks away" },
  {
    pattern: /\btrueup(?:\.js)?['"]?\s+(?:start|uninit|hook\s+uninstall|override\s+add)\b/u,
    what: "this pins or unpins what the work is judged by",
  },
];

/** Whether a tool call may go ahead under the pinned contract. Advice in time, not a wall: the gate judges what was written. */
export function decideTool(
  event: AgentEvent,
  written: readonly WrittenPath[],
  contract: AcceptanceContract | null,
): ToolAnswer {
  const off = switches.find(({ pattern }) => pattern.test(commandOf(event.input)));
  if (off !== undefined) return deny(`${off.what}. That is for a person to decide.`);
  for (const { said, paths, inState } of written) {
    if (inState) return deny(`${said} is where Trueup keeps its own records.`);
    for (const path of paths) {
      const reason = path === null ? null : whyNot(path, contract);
      if (reason !== null) return deny(`${said}: ${reason}. A change of it would be blocked.`);
    }
  }
  return { kind: "allow" };
}

function whyNot(path: string, contract: AcceptanceContract | null): string | null {
  if (path === ".git" || path.startsWith(".git/")) return "this is git's own";
  if (matchesAny(contract?.changed_files_forbidden ?? [], path)) return "the contract forbids it";
  // Which part of a manifest is changed only the change itself shows.
  if (/(?:^|\/)package\.json$/u.test(path)) return null;
  const reason = protectedReason(path, { allow: contract?.allow_protected ?? [] });
  return reason === null ? null : `it is protected, since it ${reason}`;
}

function commandOf(input: AgentEvent["input"]): string {
  const { command } = input;
  if (Array.isArray(command)) return command.filter((word) => typeof word === "string").join(" ");
  return typeof command === "string" ? command : "";
}

function deny(reason: string): ToolAnswer {
  return { kind: "deny", reason: `trueup: ${reason}` };
}
