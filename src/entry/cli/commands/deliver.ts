import type { Command } from "commander";
import { deliver } from "../../../app/deliver/deliver.ts";
import type { DeliverResult } from "../../../app/deliver/delivery.ts";
import { escapeTerminal, logJson, publishNothing, publishVerdict } from "../../../reporters/index.ts";
import { createDeliverPorts } from "../build-ports.ts";
import { readDeliverRequest, type DeliverOptions } from "../read-deliver-request.ts";
import { openReportFiles, reportOption } from "../report-files.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { trimCache } from "../trim-cache.ts";
import { printJudged } from "../verdict-output.ts";

const help = `
The pipeline clones the repository, lets the agent work in a sandbox, captures the change as bytes,
re-tests exactly that tree in a clean room, and opens a pull request only if the facts agree. The same
command again resumes; nothing is published twice.

TASK is Markdown: front matter, a prompt, and one \`acceptance\` block that holds the contract.

  ---
  title: Collapse runs of spaces in slugs
  repo: ./remote.git
  agent: scripted:agent.json
  ---
  What is to be done, in words.

  \`\`\`acceptance
  {"changed_files_only": ["src/**"], "tests": [{"command": "npx vitest run", "passed": 4}]}
  \`\`\`

Further keys: base_ref, authority, intent, budget, created_at. JSON takes the same names, with the text in
\`prompt\` and the contract in \`contract\`. \`repo\` is a path, owner/name, or an https or ssh address.

Agents: scripted:FILE (edits, commands, messages), command:PROGRAM ARG... (any program in the sandbox).`;

/** `trueup deliver TASK`: one task from contract to published change. */
export function registerDeliver(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("deliver")
    .description("Run one task: an agent works in a sandbox, the facts decide, only then something is published.")
    .argument("<task>", "TASK.md or TASK.json")
    .option("--agent <spec>", "the agent, instead of the task's own")
    .option("--repo <address>", "the repository, instead of the task's own")
    .option("--prefix <name>", "prefix of the branch", "trueup")
    .option("--new-attempt", "start over instead of resuming")
    .option("--strict", "warnings block")
    .option(reportOption.flags, reportOption.description, reportOption.collect)
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (task: string, options: DeliverOptions) => {
      exit.code = await runDeliver(terminal, task, options);
    });
}

async function runDeliver(terminal: Terminal, file: string, options: DeliverOptions): Promise<number> {
  const reports = await openReportFiles(terminal, options.report, { json: options.json === true });
  const request = await readDeliverRequest(terminal, file, options);
  const ports = await createDeliverPorts(terminal, {
    quiet: options.quiet === true || options.json === true,
    agent: request.agent,
    url: request.deliver.url,
  });
  const result = await deliver(request.deliver, ports);
  await trimCache(terminal);
  if (options.json === true) await writeLine(terminal.stdout, logJson(toJson(result)));
  else if (!reports.onStdout) await printResult(terminal, result);
  await reports.write(
    result.judged === null ? publishNothing(`${result.status}: ${result.reason ?? ""}`) : publishVerdict(result.judged),
  );
  return exitCodeOfDelivery(result);
}

/** 0 only when a passed verdict under this contract speaks for what stands where others see it. */
function exitCodeOfDelivery({ status, proven, judged }: DeliverResult): 0 | 1 | 3 {
  const outcome = judged?.verdict.outcome ?? "passed";
  if (outcome === "unchecked" || outcome === "undetermined" || status === "undetermined") return 3;
  if (outcome === "blocked" || status === "acceptance_failed" || status === "declined") return 1;
  return proven ? 0 : 3;
}

function toJson(result: DeliverResult): Record<string, unknown> {
  const { judged, ...rest } = result;
  return { ...rest, verdict: judged?.verdict ?? null };
}

/** The report, how it ended, and where things are. */
export async function printResult(terminal: Terminal, result: DeliverResult): Promise<void> {
  if (result.judged !== null) await printJudged(terminal, result.judged, { json: false, extra: {} });
  const lines = [
    `Status: ${result.status}${result.reason === null ? "" : ` — ${escapeTerminal(result.reason)}`}${result.resumed ? " (from the stored attempt; --new-attempt starts over)" : ""}`,
    result.branch === null
      ? null
      : `Branch: ${result.branch}${result.commit === null ? "" : ` at ${result.commit.slice(0, 12)}`}`,
    result.pullRequest === null
      ? null
      : `Pull request: ${escapeTerminal(result.pullRequest.url)} (${result.pullRequest.state}${result.resumed ? " when it was published" : ""})`,
    `Artifacts: ${result.outDirectory}`,
  ];
  for (const line of lines) if (line !== null) await writeLine(terminal.stdout, line);
}
