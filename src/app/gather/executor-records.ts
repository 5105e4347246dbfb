import { createHash } from "node:crypto";
import { compareText, digestOf, type Digest } from "../../core/digest.ts";
import { formatUuidV7 } from "../../core/uuid-v7.ts";
import type { CommandFacts, Excerpt, ExitFact, Facts, RunFacts } from "../../core/facts/index.ts";
import {
  encodeRecord,
  redactArgv,
  redactText,
  sealRecord,
  standardRedactionRules,
  type RecordDraft,
  type RedactionRules,
} from "../../core/record/index.ts";

/**
 * What the executor ran for a verification, as a chained log of command records: a pure function of the facts, so that the
 * gate over stored artifacts can make it again and compare. Held-out tests are left out: their words tell what they ask.
 */
export function renderExecutorRecords(facts: Facts): string {
  const rules = standardRedactionRules([]);
  const ran = [...facts.runs.map(ofRun), ...facts.commands.map(ofCommand)].toSorted(
    (a, b) => compareText(a.started_at, b.started_at) || compareText(a.key, b.key),
  );
  const verification = uuidAt(
    ran[0]?.started_at ?? epoch,
    digestOf([facts.change.change_digest, facts.contract_digest]),
  );
  let prev: Digest | null = null;
  let text = "";
  for (const [index, one] of ran.entries()) {
    const command = uuidAt(one.started_at, digestOf([verification, index]));
    const record = sealRecord(draftOf(one, { facts, rules, verification, command }), prev);
    prev = record.digest;
    text += encodeRecord(record);
  }
  return text;
}

interface Ran {
  readonly key: string;
  readonly started_at: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly match: string | null;
  readonly exit: ExitFact;
  readonly duration_ms: number;
  readonly tree: string;
  readonly treeWritten: boolean;
  readonly stdout: Excerpt;
  readonly stderr: Excerpt;
  readonly role: RecordDraft["role"];
}

/** For facts of a version that did not say when. */
const epoch = "1970-01-01T00:00:00.000Z";

function ofRun(run: RunFacts): Ran {
  const judged = run.purpose === "head";
  return {
    ...common(run),
    key: `tests[${run.criterion}] ${run.purpose} ${run.tree}`,
    // What was typed is what a contract names; what ran stands in the facts.
    argv: run.declared_argv,
    match: judged ? `tests[${run.criterion}]` : null,
    treeWritten: run.tree_written !== undefined,
    role: judged ? "acceptance" : "proof",
  };
}

function ofCommand(command: CommandFacts): Ran {
  const judged = command.kind === "command" && command.purpose === "head";
  return {
    ...common(command),
    key: `${command.kind}[${command.criterion}] ${command.purpose} ${command.tree}`,
    argv: command.argv,
    match: judged ? `commands[${command.criterion}]` : null,
    treeWritten: false,
    role: judged ? "acceptance" : command.kind === "prepare" ? "bootstrap" : "proof",
  };
}

function common(one: RunFacts | CommandFacts) {
  const { cwd, exit, duration_ms, tree, stdout, stderr } = one;
  return { started_at: one.started_at ?? epoch, cwd, exit, duration_ms, tree, stdout, stderr };
}

function draftOf(
  ran: Ran,
  of: {
    readonly facts: Facts;
    readonly rules: RedactionRules;
    readonly verification: string;
    readonly command: string;
  },
): RecordDraft {
  const { facts, rules, verification, command } = of;
  return {
    version: 1,
    command_id: command,
    parent_command_id: null,
    session_id: verification,
    task_id: null,
    verification_id: verification,
    argv: redactArgv(ran.argv, rules),
    cwd: redactText(ran.cwd === "" ? "/repo" : `/repo/${ran.cwd}`, rules),
    matches: ran.match === null ? [] : [ran.match],
    expectation: null,
    started_at: ran.started_at,
    duration_ms: ran.duration_ms,
    exit_code: ran.exit.error === null ? ran.exit.code : null,
    error: errorOf(ran.exit),
    stdout: streamOf(ran.stdout, rules),
    stderr: streamOf(ran.stderr, rules),
    tree_before: ran.tree,
    tree_after: ran.treeWritten ? null : ran.tree,
    actor: "executor",
    role: ran.role,
    contract_digest: facts.contract_digest,
  };
}

function errorOf({ code, error, signal }: ExitFact): RecordDraft["error"] {
  if (error === null && code !== null) return null;
  const kind = { timeout: "timeout", idle: "timeout", signal: "signal", "not-found": "not-found" } as const;
  const spawn = { "not-executable": "not-executable", spawn: "spawn" } as const;
  const known: Partial<Record<string, NonNullable<RecordDraft["error"]>["kind"]>> = { ...kind, ...spawn };
  return { kind: known[error ?? ""] ?? "runner-fault", detail: error ?? "no cause known", signal };
}

function streamOf(excerpt: Excerpt, rules: RedactionRules): RecordDraft["stdout"] {
  const [head, tail] = [redactText(excerpt.head, rules), redactText(excerpt.tail, rules)];
  const { omitted_lines, omitted_bytes } = excerpt;
  const redactions = Number(head !== excerpt.head) + Number(tail !== excerpt.tail);
  return { head, tail, omitted_lines, omitted_bytes, redactions };
}

/** A UUID of version 7 for that moment whose random bits are those of a digest. */
function uuidAt(moment: string, digest: Digest): string {
  const random = createHash("sha256").update(digest).digest("hex");
  const sequence = Number.parseInt(random.slice(0, 3), 16);
  return formatUuidV7(Date.parse(moment), sequence, Buffer.from(random.slice(3, 19), "hex"));
}
