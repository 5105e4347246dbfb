import type { Command } from "commander";
import { createHookFiles } from "../../../adapters/hook-files/disk/hook-files.ts";
import { createHookTrace } from "../../../adapters/session-store/files/hook-trace.ts";
import { findHookedAgents } from "../../../app/install-hooks/find-hooked-agents.ts";
import type { Session, SessionStore } from "../../../ports/index.ts";
import { startSession, type StartResult } from "../../../app/start-session/start-session.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { createRunPorts, openSessionStore } from "../../run/session-ports.ts";
import { createGit } from "../build-ports.ts";
import { openPlaces } from "../places.ts";
import { readContractFile, readTaskFile } from "../read-contract.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface StartOptions {
  readonly base?: string;
  readonly contract?: string;
  readonly json?: boolean;
}

const help = `
Copies the base commit's objects, pins the contract by its digest, and keeps all of it outside the work
tree, where \`run\`, \`gate\`, \`check\` and hooks find it. The session of this work tree that is open ends.
The contract: that of TASK.md, else --contract, else .trueup/contract.json of the base revision.`;

/** `trueup start`: pins what the work will be judged by, before it begins. */
export function registerStart(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("start")
    .description("Begin a session in this work tree: pin base, contract and policy before the work begins.")
    .argument("[task]", "a task file, or any text with one acceptance block")
    .option("--base <rev>", "the base revision (default: the task's, else the merge base with upstream, else HEAD)")
    .option("--contract <file>", "the acceptance contract: JSON, or Markdown with the block")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (task: string | undefined, options: StartOptions) => {
      const result = await start(terminal, task ?? null, options);
      await (options.json === true ? printJson(terminal, result) : printText(terminal, result));
      exit.code = 0;
    });
}

async function start(terminal: Terminal, taskFile: string | null, options: StartOptions): Promise<StartResult> {
  const task = taskFile === null ? null : await readTaskFile(terminal, taskFile);
  if (task !== null && task.contract !== null && options.contract !== undefined)
    throw new TrueupError("usage", { detail: "the task has a contract of its own; --contract would be a second one" });
  const contract = options.contract === undefined ? null : await readContractFile(terminal, options.contract);
  await openPlaces(terminal);
  const sessions = openSessionStore(terminal.env);
  const started = await startSession(
    {
      directory: terminal.cwd,
      base: options.base ?? task?.base ?? null,
      contract: contract ?? task?.contract ?? null,
      signal: terminal.signal,
    },
    { git: await createGit(terminal), sessions, openSession: (session) => createRunPorts(sessions, session) },
  );
  await noteHooks(terminal, started.session, sessions);
  return started;
}

/** What the gate later looks for: a hook that is installed and never fires is a layer that is not there. */
async function noteHooks(terminal: Terminal, session: Session, sessions: SessionStore): Promise<void> {
  const place = { root: session.work_tree, env: terminal.env };
  const trace = createHookTrace(sessions.directoryOf(session.id));
  for (const client of await findHookedAgents(place, createHookFiles({ environment: terminal.env })))
    await trace.note({ kind: "installed", client });
}

async function printJson(terminal: Terminal, { session, closed, contractSource }: StartResult): Promise<void> {
  const { id, work_tree, base, contract_digest, policy, started_at } = session;
  const pinned = { id, work_tree, base, contract_digest, contract_source: contractSource, policy, started_at };
  await writeLine(terminal.stdout, logJson({ ...pinned, closed: closed?.id ?? null }));
}

const sources = {
  given: "given",
  "given-and-standing": "given, with .trueup/contract.json of the base",
  standing: ".trueup/contract.json of the base",
  none: "",
} as const;

async function printText(terminal: Terminal, { session, closed, contractSource }: StartResult): Promise<void> {
  const { base, contract_digest } = session;
  const contract =
    contract_digest === null
      ? "none: nothing will be machine-checked"
      : `${contract_digest} (${sources[contractSource]})`;
  const lines = [
    `Session ${session.id}`,
    `  work tree  ${session.work_tree}`,
    `  base       ${base.commit} (${base.source})`,
    `  contract   ${contract}`,
    `  policy     failed records: ${session.policy.failed_records}`,
    ...(closed === null ? [] : [`Closed session ${closed.id}.`]),
    "Run commands as `trueup run -- COMMAND`; `trueup log` shows their records.",
  ];
  for (const line of lines) await writeLine(terminal.stdout, escapeTerminal(line));
}
