import { appendFile } from "node:fs/promises";
import type { Asked } from "../../app/ci/find-request.ts";
import { judgeRequest, type CiResult } from "../../app/ci/judge-request.ts";
import { readGithubEvent } from "../../core/ci/index.ts";
import { TrueupError } from "../../errors.ts";
import type { ForgeReader } from "../../ports/index.ts";
import { logJson, publishVerdict, renderReport } from "../../reporters/index.ts";
import { createCheckPorts } from "./build-ports.ts";
import { packageRoot, readPackageVersion } from "./package-version.ts";
import { createOutDirectory } from "./places.ts";
import { parseContractOrThrow } from "./read-contract.ts";
import { readInput } from "./read-input.ts";
import { openReportFiles } from "./report-files.ts";
import { earlierSteps } from "./earlier-steps.ts";
import { writeLine, type Terminal } from "./terminal.ts";
import { printJudged } from "./verdict-output.ts";

/** What a CI may say beside its environment. */
export interface CiOptions {
  readonly base?: string;
  readonly head?: string;
  readonly author?: "person" | "agent";
  readonly requireContract?: boolean;
  readonly strict?: boolean;
  readonly out?: string;
  readonly report?: readonly string[];
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Judges what this CI job is about and returns the exit code, which is the conclusion. */
export async function runCi(terminal: Terminal, options: CiOptions): Promise<number> {
  const { token, quiet } = withoutToken(terminal);
  const asked = await readAsked(quiet, options);
  const reports = await openReportFiles(quiet, options.report, { json: options.json === true });
  const out = await createOutDirectory(quiet, options.out ?? null);
  const silent = options.quiet === true || options.json === true || reports.onStdout;
  const ports = {
    ...(await createCheckPorts(quiet, { quiet: silent })),
    forge: await createForgeReader(quiet, { asked, token }),
  };
  const result = await judgeRequest(
    {
      directory: quiet.cwd,
      asked,
      mergeCommit: isGithub(quiet.env) ? (quiet.env["GITHUB_SHA"] ?? null) : null,
      requireContract: options.requireContract === true,
      strict: options.strict === true,
      parseStandingContract: (text) => parseContractOrThrow(text, ".trueup/contract.json"),
      ranBefore: earlierSteps(quiet.env, { workTree: quiet.cwd, own: packageRoot() }),
      write: out.write,
      outside: out.places,
      signal: quiet.signal,
    },
    ports,
  );
  const told = { result, artifacts: out.directory };
  if (!reports.onStdout) await print(quiet, told, { json: options.json === true });
  await reports.write(publishVerdict(result.judged));
  // Commands are understood on both streams; on standard output nothing may stand beside a report or an object.
  const stream = options.json === true || reports.onStdout ? quiet.stderr : quiet.stdout;
  if (isGithub(quiet.env)) await tellGithub(quiet, told, stream);
  return result.conclusion.exit;
}

const isGithub = (env: Terminal["env"]): boolean => env["GITHUB_ACTIONS"] === "true";

/** The token is for one reader; git, the toolchain and everything else never see it. */
function withoutToken(terminal: Terminal): { readonly token: string | null; readonly quiet: Terminal } {
  const { GITHUB_TOKEN: token, GH_TOKEN: _other, INPUT_TOKEN: _input, ...env } = terminal.env;
  return { token: token === undefined || token === "" ? null : token, quiet: { ...terminal, env } };
}

async function readAsked(terminal: Terminal, options: CiOptions): Promise<Asked> {
  const { base, head, author } = options;
  if (base !== undefined) {
    const kind = author === undefined ? "unknown" : author === "agent" ? "bot" : "person";
    return { kind: "revision", base, head: head ?? null, author: kind };
  }
  if (!isGithub(terminal.env))
    throw new TrueupError("usage", {
      subject: "trueup ci",
      detail: "outside of GitHub's CI the base must be named",
      hint: "`trueup ci --base origin/main`; docs/ci.md has recipes.",
    });
  if (head !== undefined || author !== undefined)
    throw new TrueupError("usage", { detail: "--head and --author go with --base; here the event says them" });
  return readEvent(terminal);
}

async function readEvent(terminal: Terminal): Promise<Asked> {
  const { GITHUB_EVENT_PATH: file = "", GITHUB_EVENT_NAME: name = "" } = terminal.env;
  if (file === "") throw new TrueupError("ci-event-invalid", { subject: name, detail: "GITHUB_EVENT_PATH is not set" });
  const read = readGithubEvent(name, await readInput(terminal, file));
  if (read.ok) return read.event;
  throw new TrueupError("ci-event-invalid", { subject: name, detail: read.reason });
}

/** The forge whose event this is; null where it has none or nothing may be asked of it. */
async function createForgeReader(
  { env }: Terminal,
  { asked, token }: { readonly asked: Asked; readonly token: string | null },
): Promise<ForgeReader | null> {
  if (asked.kind === "revision" || token === null) return null;
  const { createGithubReader } = await import("../../adapters/forge/github/github-reader.ts");
  return createGithubReader({
    repository: asked.repository,
    token,
    api: env["GITHUB_API_URL"] ?? "https://api.github.com",
    graphql: env["GITHUB_GRAPHQL_URL"] ?? "https://api.github.com/graphql",
    environment: env,
  });
}

interface Told {
  readonly result: CiResult;
  readonly artifacts: string;
}

async function print(terminal: Terminal, { result, artifacts }: Told, { json }: { json: boolean }): Promise<void> {
  const { judged, found, conclusion } = result;
  if (json) {
    const base = { base: found.base.commit, base_source: found.source, contract_base: found.policyBase.commit };
    await writeLine(terminal.stdout, logJson({ ...base, artifacts, conclusion, verdict: judged.verdict }));
    return;
  }
  const against = `${found.base.commit.slice(0, 12)} (${found.source})`;
  await writeLine(terminal.stdout, `Judged commit ${found.head.commit.slice(0, 12)} against ${against}.`);
  await printJudged(terminal, judged, { json, extra: {} });
  if (conclusion.notice !== null) await writeLine(terminal.stdout, conclusion.notice);
  await writeLine(terminal.stdout, `Artifacts: ${artifacts}`);
}

/** Annotations, the step's summary and its outputs, where the job's own environment asks for them. */
async function tellGithub(terminal: Terminal, { result, artifacts }: Told, stream: Terminal["stdout"]): Promise<void> {
  const published = publishVerdict(result.judged);
  const tool = { version: readPackageVersion() };
  await writeLine(stream, renderReport("github-annotations", published, tool).trimEnd());
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs } = terminal.env;
  if (summary !== undefined && summary !== "")
    await appendFile(summary, renderReport("github-summary", published, tool));
  if (outputs === undefined || outputs === "") return;
  const { outcome } = result.judged.verdict;
  await appendFile(outputs, `outcome=${outcome}\nexit-code=${result.conclusion.exit}\nartifacts=${artifacts}\n`);
}
