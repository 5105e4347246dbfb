import { sha256, type Digest } from "../digest.ts";
import type { EvidenceFault, ExitFact, RunFacts, TestCase, TestModule } from "../facts/index.ts";
import type { DecodedChannel } from "./decode-channel.ts";
import { findDifferenceInTerms, findReportDifference, type ReportTerms, type SecondWitness } from "./second-witness.ts";
import type { EndMessage, InitMessage, RawCase, RawModule, StartMessage } from "./witness-messages.ts";
import { withOrdinals } from "./with-ordinals.ts";

/** All signals of one run. */
export interface WitnessInput {
  readonly channel: DecodedChannel;
  /** Absolute path of the repository inside the sandbox. */
  readonly root: string;
  readonly exit: ExitFact;
  readonly second: SecondWitness;
  /** For a report that says less than the witness does. */
  readonly terms?: ReportTerms;
}

/** What the signals say together. With any fault the lists are for display only. */
export interface WitnessFacts {
  readonly init: InitMessage | null;
  readonly start: StartMessage | null;
  readonly cases: readonly TestCase[];
  readonly modules: readonly TestModule[];
  readonly unhandled: readonly string[];
  readonly reason: RunFacts["reason"];
  readonly second_witness: RunFacts["second_witness"];
  readonly faults: readonly EvidenceFault[];
  /** Repository-relative paths of the files that decided how the tests ran. */
  readonly closure: readonly string[];
  readonly evidence_digest: Digest | null;
}

/** A path inside the sandbox as the repository names it; one outside stays absolute. */
export function repositoryPath(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** A plain pass is only that: a pass that carries errors without a retry was turned into one after the fact. */
function stateOf(raw: RawCase): TestCase["state"] {
  if (raw.state === "skipped") return raw.mode === "todo" ? "todo" : "skipped";
  if (raw.state !== "passed") return raw.state;
  if (raw.retries > 0) return "retried";
  if (raw.fails) return "expected-failure";
  return raw.errors.length > 0 ? "failed" : "passed";
}

function caseOf(raw: RawCase, root: string): Omit<TestCase, "ordinal"> {
  return {
    project: raw.project,
    file: repositoryPath(root, raw.file),
    suite: raw.suite,
    title: raw.title,
    state: stateOf(raw),
    errors: raw.errors,
  };
}

function moduleOf(raw: RawModule, root: string): TestModule {
  const state = raw.state === "queued" ? "pending" : raw.state;
  return {
    project: raw.project,
    file: repositoryPath(root, raw.file),
    state: raw.errors.length > 0 ? "failed" : state,
    errors: raw.errors,
  };
}

const caseLine = (raw: RawCase): string =>
  JSON.stringify([raw.id, raw.project, raw.file, raw.suite, raw.title, stateOf(raw)]);
const moduleLine = (raw: RawModule): string => JSON.stringify([raw.id, raw.project, raw.file, raw.state]);

/** The lines that one list has more often than the other. */
function surplus(more: readonly string[], less: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of less) counts.set(line, (counts.get(line) ?? 0) + 1);
  return more.filter((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left <= 0;
  });
}

function listFault(what: string, streamed: readonly string[], final: readonly string[]): EvidenceFault[] {
  const onlyFinal = surplus(final, streamed);
  const onlyStreamed = surplus(streamed, final);
  if (onlyFinal.length + onlyStreamed.length === 0) return [];
  const example = onlyFinal[0] ?? onlyStreamed[0] ?? "";
  return [
    {
      code: "lists-differ",
      detail:
        `${onlyFinal.length} ${what} only in the final list, ${onlyStreamed.length} only streamed: ${example}`.slice(
          0,
          500,
        ),
    },
  ];
}

/** Streamed lists, final lists and the files that were to run agree. */
function checkLists(channel: DecodedChannel, end: EndMessage, start: StartMessage | null): EvidenceFault[] {
  const cases = channel.messages.flatMap((message) => (message.type === "case" ? [caseLine(message.case)] : []));
  const modules = channel.messages.flatMap((message) =>
    message.type === "module" ? [moduleLine(message.module)] : [],
  );
  // vitest 3 never streams a file that failed to load; such a file can only be seen as what it is, failed.
  const told = new Set(modules);
  const expected = end.modules.filter((item) => item.state !== "failed" || told.has(moduleLine(item)));
  const fileLine = (item: { project: string; file: string }): string => JSON.stringify([item.project, item.file]);
  const planned = [...new Set((start?.modules ?? []).map(fileLine))];
  const reported = [...new Set(end.modules.map(fileLine))];
  return [
    ...listFault("cases", cases, end.cases.map(caseLine)),
    ...listFault("files", modules, expected.map(moduleLine)),
    ...(start === null ? [] : listFault("planned files", planned, reported)),
  ];
}

/** The runner's own task tree counts what the list holds. */
function checkCounts(end: EndMessage): EvidenceFault[] {
  const count = (state: string): number => end.cases.filter((item) => item.state === state).length;
  const counted = { cases: end.cases.length, passed: count("passed"), failed: count("failed") };
  const keys = ["cases", "passed", "failed"] as const;
  return keys
    .filter((key) => end.counts[key] !== counted[key])
    .map(
      (key) =>
        ({
          code: "counts-differ",
          detail: `the runner counts ${end.counts[key]} ${key}, the list holds ${counted[key]}`,
        }) as const,
    );
}

const stillRunning = "the runner said that it ended, and a process that the tests started was still running";

/** The exit code says what the lists say. A run without any file is left to the count. */
function checkExit(exit: ExitFact, seen: { good: boolean; files: number }): EvidenceFault[] {
  if (exit.error === "timeout" || exit.error === "idle") return [{ code: "exit-differs", detail: stillRunning }];
  if (exit.code === null || exit.error !== null) return [];
  if (exit.code === 0 && !seen.good) return [{ code: "exit-differs", detail: "exit 0, but the witness saw failures" }];
  if (exit.code !== 0 && seen.good && seen.files > 0) {
    return [{ code: "exit-differs", detail: `exit ${exit.code}, but the witness saw none fail` }];
  }
  return [];
}

function reasonOf(end: EndMessage | null): RunFacts["reason"] {
  const reason = end?.reason;
  return reason === "passed" || reason === "failed" || reason === "interrupted" ? reason : "unknown";
}

function checkSecond(
  { second, terms }: Pick<WitnessInput, "second" | "terms">,
  cases: readonly TestCase[],
  modules: readonly TestModule[],
): { state: RunFacts["second_witness"]; faults: EvidenceFault[] } {
  const told = terms === undefined ? undefined : terms(cases);
  if (second.state === "absent" || told === null) return { state: "absent", faults: [] };
  if (second.state === "unreadable")
    return { state: "differs", faults: [{ code: "second-witness-unreadable", detail: second.detail }] };
  const difference =
    told === undefined
      ? findReportDifference(second.report, cases, modules)
      : findDifferenceInTerms(second.report, told);
  if (difference === null) return { state: "agrees", faults: [] };
  return { state: "differs", faults: [{ code: "second-witness-differs", detail: difference.slice(0, 500) }] };
}

/** Streamed cases = final list = recount = exit code = the runner's own report, or a fault for each that parts. */
export function decodeWitness(input: WitnessInput): WitnessFacts {
  const { channel, root } = input;
  const init = channel.messages.find((message) => message.type === "init") ?? null;
  const start = channel.messages.find((message) => message.type === "start") ?? null;
  const end = channel.messages.find((message) => message.type === "end") ?? null;
  const cases = withOrdinals((end?.cases ?? streamedCases(channel)).map((raw) => caseOf(raw, root)));
  const modules = (end?.modules ?? []).map((raw) => moduleOf(raw, root));
  const good =
    reasonOf(end) === "passed" &&
    (end?.unhandled.length ?? 1) === 0 &&
    !modules.some((item) => item.state === "failed") &&
    !cases.some((item) => item.state === "failed");
  const second = end === null ? { state: "absent" as const, faults: [] } : checkSecond(input, cases, modules);
  return {
    init,
    start,
    cases,
    modules,
    unhandled: end?.unhandled ?? [],
    reason: reasonOf(end),
    second_witness: second.state,
    faults: [
      ...channel.faults,
      ...(channel.messages.length > 1 && init === null
        ? [{ code: "frame-broken", detail: "the runner never introduced itself" } as const]
        : []),
      ...(end === null
        ? []
        : [
            ...checkLists(channel, end, start),
            ...checkCounts(end),
            ...checkExit(input.exit, { good, files: modules.length }),
          ]),
      ...second.faults,
    ],
    closure: (end?.closure ?? []).map((file) => repositoryPath(root, file)),
    evidence_digest: channel.payloads.length === 0 ? null : sha256(channel.payloads.join("\n")),
  };
}

function streamedCases(channel: DecodedChannel): RawCase[] {
  return channel.messages.flatMap((message) => (message.type === "case" ? [message.case] : []));
}
