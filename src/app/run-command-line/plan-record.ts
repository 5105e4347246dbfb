import path from "node:path";
import { decodePath } from "../../core/change/path-bytes.ts";
import { findRetryParent, redactArgv, redactText, type RecordDraft } from "../../core/record/index.ts";
import { TrueupError } from "../../errors.ts";
import type { RunPorts, RunRequest } from "./run-command-line.ts";

/** What is known of a command before it starts. */
export interface PlannedRecord {
  /** The record that stands if the runner dies: no exit code, no output. */
  readonly draft: RecordDraft;
  readonly timeoutMs: number | null;
}

/** How far back a command is looked for that this one runs again. */
const retryWindow = 500;
const nothing = { head: "", tail: "", omitted_lines: 0, omitted_bytes: 0, redactions: 0 } as const;
const died = { kind: "runner-fault", detail: "the runner died before the command ended", signal: null } as const;

/** Reads what was recorded before, and the tree as the command will find it. Throws `record-missing` for an unknown parent. */
export async function planRecord(request: RunRequest, ports: RunPorts): Promise<PlannedRecord> {
  const { session, rules } = request;
  const words = request.argv.map((word) => readable(word));
  const matches = await matchContract(request, words);
  const argv = redactArgv(words, rules);
  const cwd = redactText(request.cwd, rules);
  const tree = await ports.watch.fingerprint();
  const parent = await findParent(request, ports, { argv, cwd, tree });
  const draft: RecordDraft = {
    version: 1,
    command_id: ports.ids.next(),
    parent_command_id: parent,
    session_id: session.id,
    task_id: null,
    verification_id: null,
    argv,
    cwd,
    matches,
    expectation: request.expectation === null ? null : redactText(request.expectation, rules),
    started_at: new Date(ports.clock.now()).toISOString(),
    duration_ms: 0,
    exit_code: null,
    error: died,
    stdout: nothing,
    stderr: nothing,
    tree_before: tree,
    tree_after: null,
    actor: "agent",
    role: request.role ?? (matches.length > 0 ? "acceptance" : "iteration"),
    contract_digest: session.contract_digest,
  };
  return { draft, timeoutMs: request.timeoutMs ?? contractTimeoutMs(request, matches) ?? request.defaultTimeoutMs };
}

/** The criteria whose command this is. Loaded only where there is a contract: every command pays for what is loaded. */
async function matchContract({ session, cwd }: RunRequest, argv: readonly string[]): Promise<readonly string[]> {
  if (session.contract === null) return [];
  const { matchCriteria } = await import("../../core/gate/match-criteria.ts");
  return matchCriteria({ argv, cwd: path.relative(session.work_tree, cwd) }, session.contract);
}

/** The readable form of a word or path; bytes that are not UTF-8 stand as `\xHH`. */
export function readable(bytes: Uint8Array): string {
  return decodePath(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")).path;
}

async function findParent(
  { retryOf }: RunRequest,
  { log }: RunPorts,
  question: { readonly argv: readonly string[]; readonly cwd: string; readonly tree: string | null },
): Promise<string | null> {
  const newest = await log.readNewest(retryWindow);
  if (retryOf === null) return findRetryParent(newest, question)?.command_id ?? null;
  const isNamed = (record: { readonly command_id: string }): boolean => record.command_id === retryOf;
  if (newest.some(isNamed) || (await log.readAll()).records.some(isNamed)) return retryOf;
  throw new TrueupError("record-missing", { subject: retryOf, detail: "named by --retry-of" });
}

/** The shortest time that a criterion allows this command, in milliseconds. */
function contractTimeoutMs({ session }: RunRequest, matches: readonly string[]): number | null {
  const { tests = [], commands = [] } = session.contract ?? {};
  const named = [
    ...tests.map((entry, index) => ({ subject: `tests[${index}]`, seconds: entry.timeout_seconds })),
    ...commands.map((entry, index) => ({ subject: `commands[${index}]`, seconds: entry.timeout_seconds })),
  ];
  const limits = named.flatMap(({ subject, seconds }) =>
    seconds !== undefined && matches.includes(subject) ? [seconds * 1000] : [],
  );
  return limits.length === 0 ? null : Math.min(...limits);
}
