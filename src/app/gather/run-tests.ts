import { randomBytes } from "node:crypto";
import type { EvidenceFault, RunFacts } from "../../core/facts/index.ts";
import {
  decodeChannel,
  decodeWitness,
  excerpt,
  repositoryPath,
  type SecondWitness,
  type TestRunner,
  type WitnessFacts,
} from "../../core/test-report/index.ts";
import type { Evidence, ReportPipe, Room, Sandbox, SandboxRequest, SandboxResult } from "../../ports/index.ts";
import { normalDirectory } from "./package-roots.ts";
import { prepareLaunch, reportMount, witnessMount, type Launch, type LaunchSource } from "./prepare-launch.ts";
import { withServices, type PlannedService } from "./with-services.ts";
import { insideDirectory, repositoryRoot, runEnvironment, runLimits } from "./run-settings.ts";

const keyBytes = 32;
const channelLimit = 256 * 1024 * 1024;

/** One run of one tests entry over one room. */
export interface RunTestsRequest extends LaunchSource {
  readonly sandbox: Sandbox;
  readonly evidence: Evidence;
  readonly room: Room;
  /** Started before the tests, in their own namespace. */
  readonly services?: readonly PlannedService[];
  /** `real` for tests that need the sandbox's own /proc; default `synthetic`. */
  readonly proc?: SandboxRequest["proc"];
  readonly purpose: RunFacts["purpose"];
  readonly criterion: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: NonNullable<SandboxRequest["onOutput"]>;
}

/** The raw bytes of a run, for people; nothing is decided from them. */
export interface RunArtifacts {
  /** The runner's own report, null when there was none. */
  readonly report: Uint8Array | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

export interface RunTestsResult {
  readonly facts: RunFacts;
  /** Files that decided how the tests ran, relative to the repository root, sorted. */
  readonly closure: readonly string[];
  readonly artifacts: RunArtifacts;
}

function sandboxRequest(
  request: RunTestsRequest,
  launch: Launch,
  channel: { key: Uint8Array; pipe: ReportPipe },
): SandboxRequest {
  const { entry, toolchain, dependencies } = request;
  const cwd = insideDirectory(entry.cwd);
  return {
    phase: "test",
    argv: withServices(launch.argv, request.services ?? [], Object.keys(launch.env)),
    cwd,
    env: { ...runEnvironment({ cwd, toolchain, dependencies, env: entry.env }), ...launch.env },
    room: request.room,
    roomAccess: "writable",
    mounts: [
      ...toolchain.mounts,
      ...dependencies.mounts,
      { kind: "read-only", source: request.evidence.witnessDirectory, target: witnessMount },
      { kind: "read-only", source: channel.pipe.hostPath, target: reportMount },
    ],
    limits: runLimits(entry.timeout_seconds),
    channel: { key: channel.key, max_bytes: channelLimit },
    proc: request.proc ?? "synthetic",
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
  };
}

function readSecond(runner: TestRunner, report: { bytes: Uint8Array; truncated: boolean } | null): SecondWitness {
  if (report === null) return { state: "absent" };
  if (report.truncated) return { state: "unreadable", detail: "the report is larger than its limit" };
  const decoded = runner.decodeReport(report.bytes, repositoryRoot);
  return typeof decoded === "string" ? { state: "unreadable", detail: decoded } : { state: "read", report: decoded };
}

/** A command that names files exactly ran those files and no other. */
function checkFiles(launch: Launch, cwd: string, witness: WitnessFacts): EvidenceFault[] {
  if (launch.named === null) return [];
  const named = new Set(launch.named.files.map((file) => (cwd === "" ? file : `${cwd}/${file}`)));
  const more = witness.modules.map((item) => item.file).filter((file) => !named.has(file));
  if (more.length === 0) return [];
  const files = [...new Set(more)].slice(0, 5).join(", ");
  return [{ code: "lists-differ", detail: `the command names files, and ${launch.runner.name} ran others: ${files}` }];
}

function closureOf(roots: readonly string[], witness: WitnessFacts): readonly string[] {
  const files = [...roots.map((file) => repositoryPath(repositoryRoot, file)), ...witness.closure];
  const inside = files.filter(
    (file) => file !== "" && !file.startsWith("/") && !`/${file}`.includes("/node_modules/") && !file.includes("\0"),
  );
  return [...new Set(inside)].toSorted();
}

function decodeRun(
  request: RunTestsRequest,
  launch: Launch,
  run: { key: Uint8Array; result: SandboxResult; report: { bytes: Uint8Array; truncated: boolean } | null },
): RunTestsResult {
  const { result, report } = run;
  const cwd = normalDirectory(request.entry.cwd ?? "");
  const channel = decodeChannel(result.channel, run.key, result.channel_truncated);
  const witness = decodeWitness({
    channel,
    root: repositoryRoot,
    exit: result.exit,
    second: readSecond(launch.runner, report),
    ...(launch.runner.reportTerms === undefined ? {} : { terms: launch.runner.reportTerms }),
  });
  const conditions = witness.init === null ? null : launch.runner.readConditions(witness.init, witness.start);
  const facts: RunFacts = {
    criterion: request.criterion,
    purpose: request.purpose,
    tree: request.reader.tree,
    declared_argv: launch.command.declared,
    argv: launch.argv,
    cwd,
    ...(launch.elsewhere.length === 0 ? {} : { elsewhere: launch.elsewhere }),
    runner: { name: launch.runner.name, version: witness.init?.runner.version ?? launch.version },
    exit: result.exit,
    started_at: new Date(result.started_at_ms).toISOString(),
    duration_ms: result.duration_ms,
    faults: [...witness.faults, ...(conditions?.faults ?? []), ...checkFiles(launch, cwd, witness)],
    cases: witness.cases,
    modules: witness.modules,
    unhandled: witness.unhandled,
    reason: witness.reason,
    second_witness: witness.second_witness,
    assertions_required: conditions?.assertionsRequired ?? false,
    stdout: excerpt(result.stdout),
    stderr: excerpt(result.stderr),
    evidence_digest: witness.evidence_digest,
  };
  return {
    facts,
    closure: closureOf(conditions?.roots ?? [], witness),
    artifacts: { report: report?.bytes ?? null, stdout: result.stdout, stderr: result.stderr },
  };
}

/**
 * Runs one tests entry in the clean room and says what the witness saw. Whatever the tests do is in the facts; thrown are
 * only `contract-invalid`, `runner-unknown`, `runner-not-installed`, `runner-unsupported` and the sandbox's own errors.
 */
export async function runTests(request: RunTestsRequest): Promise<RunTestsResult> {
  const launch = await prepareLaunch(request);
  const key = randomBytes(keyBytes);
  const pipe = await request.evidence.openReportPipe();
  const ran = await request.sandbox.run(sandboxRequest(request, launch, { key, pipe })).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const report = await pipe.finish();
  if ("error" in ran) throw ran.error;
  return decodeRun(request, launch, { key, result: ran.result, report });
}
