import type { Command } from "commander";
import type { ExitFact } from "../../../core/facts/index.ts";
import { sha256 } from "../../../core/digest.ts";
import { judgeReport, outcomeOfReport, unreadReport, type JudgedReport } from "../../../core/test-report/index.ts";
import { TrueupError } from "../../../errors.ts";
import { logJson, publishTestReport, renderTestReport } from "../../../reporters/index.ts";
import { readReport, reportByteLimit, reportDialects, type ReportReading } from "../../../runners/index.ts";
import { readReportFile, type ReportFile } from "../read-report-file.ts";
import { openReportFiles, reportOption } from "../report-files.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface TestReportOptions {
  readonly runner?: string;
  readonly exit?: string;
  readonly since?: string;
  readonly root?: string;
  readonly allowOther?: string;
  readonly report?: readonly string[];
  readonly json?: boolean;
}

const help = `
Reads vitest and jest JSON, and JUnit XML of node:test, pytest and others. The report's list is counted again and held
against its header, its own word of success, its files, and the exit code. A link, pipe or device is not read.

Exit codes: 0 it may be believed and every test passed, 1 it did not pass or contradicts itself, 2 usage or a file that
cannot be read, 3 it cannot be decided: empty, cut, of no known runner, without an exit code, or with tests that are
skipped, todo, expected to fail or retried beyond --allow-other.

  trueup test-report --exit 0 report.json
  trueup test-report --runner junit --exit 1 --json junit.xml
  trueup test-report --exit 0 --report github-summary="$GITHUB_STEP_SUMMARY" report.json`;

/** `trueup test-report FILE`: what a runner's report really says, for a person with a CI artifact. */
export function registerTestReport(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("test-report")
    .description("Say what a test runner's report really says: recounted, against its header and the exit code.")
    .argument("<file>", "the report")
    .option("--runner <name>", `read it as one of ${reportDialects.join(", ")} (default: by its form)`)
    .option("--exit <n>", "the exit code of the run that wrote it, or the signal that ended it (SIGKILL)")
    .option("--since <time>", "when the run began (2026-01-31T12:00:00Z): an older report is of another run")
    .option("--root <dir>", "the repository where the tests ran, cut from file names (default: this directory)")
    .option("--allow-other <n>", "how many tests may be skipped, todo, expected to fail or retried", "0")
    .option(reportOption.flags, reportOption.description, reportOption.collect)
    .option("--json", "print facts, counts and findings as one JSON object")
    .addHelpText("after", help)
    .action(async (file: string, options: TestReportOptions) => {
      exit.code = await testReport(terminal, file, options);
    });
}

async function testReport(terminal: Terminal, file: string, options: TestReportOptions): Promise<number> {
  const question = {
    runner: parseRunner(options.runner),
    root: options.root ?? terminal.cwd,
    exit: parseExit(options.exit),
    since: parseTime(options.since),
    allowOther: parseNumber("--allow-other", options.allowOther ?? "0"),
  };
  const reports = await openReportFiles(terminal, options.report, { json: options.json === true });
  const read = await readReportFile(terminal, file);
  const reading = read.kind === "bytes" ? readReport(read.bytes, question) : tooLong(read.size);
  const judged =
    reading.kind === "read"
      ? judgeReport({ ...question, content: reading.content, writtenAt: read.kind === "bytes" ? read.writtenAt : 0 })
      : unreadReport(reading.code, reading.subject);
  const runner = reading.kind === "read" ? reading.content.runner : null;
  const told = { file, runner, exit: question.exit, judged };
  if (options.json === true) {
    const facts = factsOf({ read, reading, judged, exit: question.exit });
    await writeLine(terminal.stdout, logJson({ facts, counts: judged.counts, findings: judged.findings }));
  } else if (!reports.onStdout) {
    await writeLine(terminal.stdout, renderTestReport(told));
  }
  await reports.write(publishTestReport(told));
  return { passed: 0, failed: 1, undetermined: 3 }[outcomeOfReport(judged.findings)];
}

const tooLong = (size: number): ReportReading => ({
  kind: "unread",
  code: "report-unreadable",
  subject: `the report has ${size} bytes (limit ${reportByteLimit})`,
});

interface Told {
  readonly read: ReportFile;
  readonly reading: ReportReading;
  readonly judged: JudgedReport;
  readonly exit: ExitFact | null;
}

/** The facts under the names that the executor's own runs have. */
function factsOf({ read, reading, judged, exit }: Told): Record<string, unknown> {
  const content = reading.kind === "read" ? reading.content : null;
  return {
    runner: { name: content?.runner ?? null, version: null },
    exit: exit ?? { code: null, error: null, signal: null },
    reason: judged.reason,
    cases: judged.cases,
    modules: content?.modules ?? [],
    unhandled: content?.unhandled ?? [],
    header: content?.header ?? {},
    started_at: content?.startedAt == null ? null : new Date(content.startedAt).toISOString(),
    report_digest: read.kind === "bytes" ? sha256(read.bytes) : null,
  };
}

function parseRunner(name: string | undefined): (typeof reportDialects)[number] | null {
  if (name === undefined) return null;
  const found = reportDialects.find((dialect) => dialect === name);
  if (found === undefined)
    throw new TrueupError("usage", { detail: `--runner is one of ${reportDialects.join(", ")}` });
  return found;
}

function parseExit(text: string | undefined): ExitFact | null {
  if (text === undefined) return null;
  if (/^SIG[A-Z0-9]{2,10}$/u.test(text)) return { code: null, error: "signal", signal: text };
  const code = parseNumber("--exit", text);
  if (code > 255) throw new TrueupError("usage", { detail: "--exit is 0 to 255, or a signal's name" });
  return { code, error: null, signal: null };
}

function parseTime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new TrueupError("usage", { detail: "--since is a time such as 2026-01-31T12:00:00Z" });
  return time;
}

function parseNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/u.test(text)) throw new TrueupError("usage", { detail: `${option} is a whole number` });
  return Number(text);
}
