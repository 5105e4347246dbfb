import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TrueupError } from "../../../errors.ts";
import type { AgentFacts } from "../../../core/facts/index.ts";
import type { Agent, AgentJob, AgentResult, SandboxResult } from "../../../ports/index.ts";
import { decideStop } from "../shared/decide-stop.ts";
import { runInSandbox } from "../shared/run-in-sandbox.ts";
import { parseAgentScript, type AgentScript } from "./agent-script.ts";
import { parseSaid, renderPlayerLine } from "./player-line.ts";

const playerSource = fileURLToPath(new URL("../../../witness/agent-player.mjs", import.meta.url));
const playerInside = "/opt/trueup/agent-player.mjs";
const scriptInside = "/opt/trueup/agent-script.json";

export interface ScriptedAgentOptions {
  /** Absolute path of the script. */
  readonly script: string;
}

function readText(path: string): string {
  try {
    // Reading a pipe that nobody writes to would never come back.
    if (!statSync(path).isFile())
      throw new TrueupError("agent-invalid", { subject: path, detail: "the script is not a regular file" });
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof TrueupError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const detail = code === "ENOENT" ? "there is no such script" : `the script cannot be read: ${code ?? "unknown"}`;
    throw new TrueupError("agent-invalid", { subject: path, detail, cause });
  }
}

function readScript(path: string): AgentScript {
  const parsed = parseAgentScript(readText(path));
  if (parsed.ok) return parsed.script;
  throw new TrueupError("agent-invalid", {
    subject: path,
    detail: parsed.reason,
    hint: "A script is {version: 1, steps: [...]}; see `examples/agents`.",
  });
}

/** The script's own word about the end counts only when the process ended as the script says. */
function stopOf(script: AgentScript, exit: SandboxResult["exit"]): AgentFacts["stop"] {
  const played = exit.error === null && exit.code === (script.exit ?? 0);
  return played && script.stop !== undefined ? script.stop : decideStop(exit);
}

async function run(script: AgentScript, job: AgentJob): Promise<AgentResult> {
  const lines: string[] = [];
  let claim = "";
  const result = await runInSandbox(job, {
    argv: [job.toolchain.node, playerInside, scriptInside],
    mounts: [{ kind: "read-only", source: playerSource, target: playerInside }],
    files: { [scriptInside]: JSON.stringify(script) },
    onLine(stream, line) {
      lines.push(stream === "stdout" ? line : JSON.stringify({ type: "stderr", text: line }));
      claim = (stream === "stdout" ? parseSaid(line) : null) ?? claim;
      for (const shown of stream === "stdout" ? renderPlayerLine(line) : [line]) job.onMessage?.(shown);
    },
  });
  return {
    facts: {
      driver: "scripted",
      stop: stopOf(script, result.exit),
      exit: result.exit.code,
      duration_ms: result.duration_ms,
    },
    claim,
    transcript: lines.map((line) => `${line}\n`).join(""),
  };
}

/** An agent without a model: plays a file of edits, commands and words inside the sandbox. Throws `agent-invalid`. */
export function createScriptedAgent(options: ScriptedAgentOptions): Agent {
  const script = readScript(options.script);
  return { driver: "scripted", run: (job) => run(script, job) };
}
