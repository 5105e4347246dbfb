import { isAbsolute, resolve } from "node:path";
import { parseCommand } from "../../../core/contract/command-words.ts";

/** Which agent to run. Host paths are absolute. */
export type AgentSpec =
  | { readonly driver: "scripted"; readonly script: string }
  | { readonly driver: "command"; readonly argv: readonly string[] };

export type AgentSpecResult =
  { readonly ok: true; readonly spec: AgentSpec } | { readonly ok: false; readonly reason: string };

function refuse(reason: string): AgentSpecResult {
  return { ok: false, reason };
}

/** A program given by path is a file of this machine; a bare name is looked up inside the sandbox. */
function withResolvedProgram(argv: readonly string[], directory: string): readonly string[] {
  const [program = "", ...rest] = argv;
  return !program.includes("/") || isAbsolute(program) ? argv : [resolve(directory, program), ...rest];
}

function parseScripted(text: string, directory: string): AgentSpecResult {
  const file = text.trim();
  if (file === "" || file.includes("\0")) return refuse("scripted: names no file");
  return { ok: true, spec: { driver: "scripted", script: resolve(directory, file) } };
}

function parseProgram(text: string, directory: string): AgentSpecResult {
  const command = parseCommand(text);
  if (!command.ok) return refuse(`command: ${command.reason}`);
  return { ok: true, spec: { driver: "command", argv: withResolvedProgram(command.argv, directory) } };
}

/** Parses `scripted:FILE` or `command:PROGRAM ARG...`; relative paths are of `directory`. No shell runs the command. */
export function parseAgentSpec(text: string, directory: string): AgentSpecResult {
  const [, driver, rest] = /^\s*([a-z]+):([\s\S]*)$/u.exec(text) ?? [];
  if (driver === undefined || rest === undefined) return refuse("give scripted:FILE or command:PROGRAM ARG...");
  if (driver === "scripted") return parseScripted(rest, directory);
  if (driver === "command") return parseProgram(rest, directory);
  return refuse(`there is no driver ${driver}; give scripted:FILE or command:PROGRAM ARG...`);
}
