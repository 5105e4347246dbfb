import path from "node:path";
import type { Command } from "commander";
import { checkWork, type CheckResult, type CheckTarget } from "../../../app/check/check-work.ts";
import type { AcceptanceContract } from "../../../core/contract/index.ts";
import type { Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { Session } from "../../../ports/index.ts";
import { publishVerdict } from "../../../reporters/index.ts";
import { createCheckPorts } from "../build-ports.ts";
import { openSessionStore } from "../../run/session-ports.ts";
import { createOutDirectory } from "../places.ts";
import { openReportFiles, reportOption } from "../report-files.ts";
import { parseContractText } from "../read-contract.ts";
import { readInput } from "../read-input.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { trimCache } from "../trim-cache.ts";
import { exitCodeOfVerdict, printJudged } from "../verdict-output.ts";

interface CheckOptions {
  readonly contract?: string;
  readonly base?: string;
  readonly staged?: boolean;
  readonly commit?: string;
  readonly out?: string;
  readonly mutations?: string;
  readonly report?: readonly string[];
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Judges the work tree with its untracked files unless --staged or --commit is given. Nothing in the
repository is written, and git is never run inside it. In a session (\`trueup start\`) base and contract are those it
pinned, unless a flag says otherwise. Else without --contract the standing contract .trueup/contract.json of the
base revision is used; without any the result is "unchecked" (exit 3).
Base and contract come from files the agent could change, so the grade is at most C.

  trueup check --contract contract.json --report sarif=trueup.sarif --report junit=trueup.xml`;

/** `trueup check`: the caller's own change, re-tested and judged. */
export function registerCheck(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("check")
    .description("Judge a change in this repository: re-test exactly its tree in a clean room.")
    .option("--contract <file>", "the acceptance contract: JSON, or Markdown with the block")
    .option(
      "--base <rev>",
      "what the change is judged against (default: the merge base with the upstream branch, else HEAD)",
    )
    .option("--staged", "judge the index instead of the work tree")
    .option("--commit <rev>", "judge a commit instead of the work tree")
    .option("--out <dir>", "write the artifacts there instead of into the state directory")
    .option("--mutations <seconds>", "undo each hunk on its own, for so long, and warn where no test notices")
    .option("--strict", "warnings block")
    .option(reportOption.flags, reportOption.description, reportOption.collect)
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: CheckOptions) => {
      exit.code = await check(terminal, options);
    });
}

async function check(terminal: Terminal, options: CheckOptions): Promise<number> {
  const target = targetOf(options);
  const session = await findPinned(terminal, target, options);
  const contract =
    options.contract === undefined ? pinnedContract(session) : await readContract(terminal, options.contract);
  const out = await createOutDirectory(terminal, options.out ?? null);
  const reports = await openReportFiles(terminal, options.report, { json: options.json === true });
  const ports = await createCheckPorts(terminal, { quiet: options.quiet === true || options.json === true });
  const { judged, base } = await checkWork(
    {
      directory: terminal.cwd,
      target,
      base: options.base ?? session?.base.commit ?? null,
      ...pinnedBy(session, options),
      contract,
      merged: options.contract === undefined && session !== null,
      policy: { minimum_grade: "C", strict: options.strict === true },
      ...mutationBudget(options.mutations),
      write: out.write,
      outside: out.places,
      signal: terminal.signal,
    },
    ports,
  );
  await trimCache(terminal);
  const answer = { judged, base, target, session, artifacts: out.directory };
  if (!reports.onStdout) await printChecked(terminal, answer, { json: options.json === true });
  await reports.write(publishVerdict(judged));
  return exitCodeOfVerdict(judged.verdict);
}

interface Checked extends CheckResult {
  readonly target: CheckTarget;
  readonly session: Session | null;
  readonly artifacts: string;
}

async function printChecked(terminal: Terminal, checked: Checked, { json }: { json: boolean }): Promise<void> {
  const { judged, base, target, session, artifacts } = checked;
  const words = { "work-tree": "the work tree with untracked files", staged: "the index", commit: "commit" };
  const what = target.kind === "commit" ? `commit ${target.revision}` : words[target.kind];
  if (!json)
    await writeLine(terminal.stdout, `Judged ${what} against ${base.base.commit.slice(0, 12)} (${base.source}).`);
  const from = { base: base.base.commit, base_source: base.source, session: session?.id ?? null };
  const extra = { judged: target.kind, ...from, artifacts };
  await printJudged(terminal, judged, { json, extra });
  if (!json) await writeLine(terminal.stdout, `Artifacts: ${artifacts}`);
}

/** The open session of this work tree: what the work is judged by unless the flags say something else. Another commit is not its work. */
async function findPinned(terminal: Terminal, target: CheckTarget, options: CheckOptions): Promise<Session | null> {
  if (target.kind === "commit" || (options.contract !== undefined && options.base !== undefined)) return null;
  return openSessionStore(terminal.env).find(terminal.cwd);
}

/** A flag takes part of the judgement out of the session's hands: then nothing counts as pinned. */
function pinnedBy(session: Session | null, options: CheckOptions): { readonly pinnedBy?: string } {
  const alone = session !== null && options.base === undefined && options.contract === undefined;
  return alone ? { pinnedBy: `pinned by session ${session.id}` } : {};
}

function pinnedContract(
  session: Session | null,
): { readonly contract: AcceptanceContract; readonly digest: Digest } | null {
  const { contract = null, contract_digest: digest = null } = session ?? {};
  return contract === null || digest === null ? null : { contract, digest };
}

function mutationBudget(seconds: string | undefined): { readonly mutationBudget?: { readonly runMs: number } } {
  if (seconds === undefined) return {};
  if (!/^[1-9][0-9]{0,5}$/u.test(seconds))
    throw new TrueupError("usage", {
      subject: `--mutations ${seconds}`,
      detail: "a whole number of seconds is wanted",
    });
  return { mutationBudget: { runMs: Number(seconds) * 1000 } };
}

function targetOf(options: CheckOptions): CheckTarget {
  if (options.staged === true && options.commit !== undefined)
    throw new TrueupError("usage", { detail: "--staged and --commit exclude each other" });
  if (options.commit !== undefined) return { kind: "commit", revision: options.commit };
  return options.staged === true ? { kind: "staged" } : { kind: "work-tree" };
}

async function readContract(terminal: Terminal, file: string): Promise<ReturnType<typeof parseOrThrow>> {
  return parseOrThrow(await readInput(terminal, file), path.basename(file));
}

function parseOrThrow(text: string, file: string) {
  const parsed = parseContractText(text, file);
  if (parsed.ok) return { contract: parsed.contract, digest: parsed.digest };
  const [first] = parsed.issues;
  throw new TrueupError("contract-invalid", {
    subject: file,
    detail: first === undefined ? "" : `${first.key}: ${first.reason}`,
  });
}
