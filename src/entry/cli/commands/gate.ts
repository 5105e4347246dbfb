import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { Option, type Command } from "commander";
import { regate } from "../../../app/gate-artifacts/regate.ts";
import { TrueupError } from "../../../errors.ts";
import { publishNothing, publishVerdict } from "../../../reporters/index.ts";
import { gateOpenSession } from "../gate-open-session.ts";
import { readArtifact } from "../read-artifact.ts";
import { openReportFiles, reportOption, type ReportFiles } from "../report-files.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { exitCodeOfVerdict, printJudged } from "../verdict-output.ts";

interface GateOptions {
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly failedRecords?: "retries" | "any";
  readonly claim?: string;
  readonly report?: readonly string[];
}

const help = `
With ARTIFACTS: evaluates stored facts again. Without: judges the open session of this work tree by what
\`trueup run\` recorded and by the files as they are now. Nothing is run: the grade is D, and counts are not
measured; \`trueup check\` measures them. A failed acceptance command blocks even if a retry passed.`;

/** `trueup gate [ARTIFACTS]`: the pure decision over stored facts, or over the records of the open session. */
export function registerGate(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("gate")
    .description("Decide from stored artifacts, or from the open session's records: nothing is run.")
    .argument("[artifacts]", "the directory that deliver, check or gate wrote (default: the open session)")
    .option("--strict", "warnings block")
    .addOption(
      new Option("--failed-records <policy>", "which failed records block in a session").choices(["retries", "any"]),
    )
    .option("--claim <file>", "in a session: what the agent said of its work, shown beside what was recorded")
    .option(reportOption.flags, reportOption.description, reportOption.collect)
    .option("--json", "print the verdict as JSON")
    .addHelpText("after", help)
    .action(async (directory: string | undefined, options: GateOptions) => {
      const reports = await openReportFiles(terminal, options.report, { json: options.json === true });
      exit.code = await (directory === undefined
        ? gateSessionHere(terminal, options, reports)
        : gate(terminal, directory, { ...options, reports }));
    });
}

async function gateSessionHere(terminal: Terminal, options: GateOptions, reports: ReportFiles): Promise<number> {
  const { judged, directory } = await gateOpenSession(terminal, {
    strict: options.strict === true,
    failedRecords: options.failedRecords ?? null,
    claim: options.claim ?? null,
  });
  if (!reports.onStdout) {
    await printJudged(terminal, judged, { json: options.json === true, extra: { artifacts: directory } });
    if (options.json !== true) await writeLine(terminal.stdout, `Artifacts: ${directory}`);
  }
  await reports.write(publishVerdict(judged));
  return exitCodeOfVerdict(judged.verdict);
}

async function gate(
  terminal: Terminal,
  directory: string,
  options: GateOptions & { readonly reports: ReportFiles },
): Promise<number> {
  if (options.claim !== undefined || options.failedRecords !== undefined)
    throw new TrueupError("usage", {
      detail: "--claim and --failed-records are for a session, not for stored artifacts",
    });
  const root = path.resolve(terminal.cwd, directory);
  await refuseUnlessArtifacts(root, directory);
  const { judged, agrees } = await regate((name) => readArtifact(root, name), { strict: options.strict === true });
  if (!options.reports.onStdout)
    await printJudged(terminal, judged, { json: options.json === true, extra: { stored_verdict_agrees: agrees } });
  if (agrees === true) {
    await options.reports.write(publishVerdict(judged));
    return exitCodeOfVerdict(judged.verdict);
  }
  const why =
    agrees === null
      ? "there is no verdict.json: the artifacts are not complete, and nothing pins these facts."
      : "verdict.json is not what the gate says about these facts: something was altered, or written by another version.";
  await writeLine(terminal.stderr, `trueup: ${why}`);
  await options.reports.write(publishNothing(why));
  return 3;
}

async function refuseUnlessArtifacts(root: string, directory: string): Promise<void> {
  const found = await stat(root).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    const detail = code === "ENOENT" ? "there is nothing at this path" : `it cannot be entered: ${code ?? "unknown"}`;
    throw new TrueupError("artifacts-invalid", { subject: directory, detail, cause });
  });
  if (!found.isDirectory()) throw new TrueupError("artifacts-invalid", { subject: directory, detail: "it is a file" });
  const names = await readdir(root).catch((cause: unknown) => {
    throw new TrueupError("artifacts-invalid", { subject: directory, detail: "it cannot be listed", cause });
  });
  if (!names.includes("facts.json"))
    throw new TrueupError("artifacts-invalid", { subject: directory, detail: "it holds no facts.json" });
}
