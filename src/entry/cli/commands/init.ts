import type { Command } from "commander";
import { planInitFiles, writeInitFiles } from "../../../app/init/init-repository.ts";
import { surveyRepository } from "../../../app/init/survey-repository.ts";
import { isActionReference, renderLineDiff, type FileAction } from "../../../core/init/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { askConsent } from "../ask-consent.ts";
import { createPreflightPorts } from "../build-ports.ts";
import { createInitPorts } from "../init-ports.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface InitOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly static?: boolean;
  readonly action?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const help = `
Looks at what is committed, tries its tests, types and lint in the clean room, and proposes .trueup/config.json, a
standing contract of what held there, and with --action a workflow. The whole proposal is shown before anything is
written; without a yes nothing is. A file that is there already is kept, whatever is in it. Typed again, it changes
nothing. \`trueup uninit\` takes out what init wrote and nobody has changed since.

  trueup init --dry-run
  trueup init --yes --action OWNER/trueup/action@TAG

Exit codes: 0 written, or nothing to write, or no was said; 2 usage, configuration or environment.`;

/** `trueup init`: what a repository needs, proposed from what it has. */
export function registerInit(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("init")
    .description("Propose what this repository needs for Trueup, show it, and write it after a yes.")
    .option("--yes", "write without asking")
    .option("--dry-run", "only show the proposal")
    .option("--static", "run nothing: then there is no standing contract to propose")
    .option("--action <reference>", "propose a GitHub workflow that uses this Action: OWNER/REPO/action@TAG")
    .option("--quiet", "no progress")
    .option("--json", "print one JSON object; writes only with --yes")
    .addHelpText("after", help)
    .action(async (options: InitOptions) => {
      await init(terminal, options);
      exit.code = 0;
    });
}

async function init(terminal: Terminal, options: InitOptions): Promise<void> {
  const action = actionOf(options);
  const ports = await createInitPorts(terminal);
  const { root } = ports.files;
  const quiet = options.quiet === true || options.json === true;
  const now = (): number => performance.now();
  const { notes, ...survey } = await surveyRepository(
    { url: root, ref: null, run: options.static !== true, now, signal: terminal.signal },
    await createPreflightPorts(terminal, { quiet }),
  );
  const plan = await planInitFiles({ ...survey, actionReference: action }, ports);
  const wanted = plan.filter((one) => one.action === "create" || one.action === "update");
  const said = action === null ? [...notes, noWorkflow] : notes;
  if (options.json !== true) await showPlan(terminal, { plan, notes: said });
  const write = wanted.length > 0 && (await mayWrite(terminal, wanted.length, options));
  const refused = write ? await writeInitFiles(plan, ports) : [];
  if (options.json === true) {
    const actions = plan.map(({ action: what, path, why }) => ({ action: what, path, why }));
    await writeLine(terminal.stdout, logJson({ version: 1, root, actions, notes: said, written: write, refused }));
  } else await sayEnd(terminal, { wanted, write, refused });
}

const noWorkflow = "no workflow: --action says where the Action is; docs/ci.md has the lines for other CI";

function actionOf({ action }: InitOptions): string | null {
  if (action === undefined || isActionReference(action)) return action ?? null;
  throw new TrueupError("usage", { subject: `--action ${action}`, detail: "OWNER/REPO/PATH@TAG is wanted" });
}

async function mayWrite(terminal: Terminal, count: number, options: InitOptions): Promise<boolean> {
  if (options.dryRun === true) return false;
  if (options.yes === true) return true;
  if (options.json === true) return false;
  return askConsent(terminal, `Write ${count === 1 ? "this file" : `these ${count} files`}?`);
}

const marks: Readonly<Record<FileAction["action"], string>> = {
  create: "new",
  update: "changed",
  same: "there",
  keep: "kept",
};

async function showPlan(
  terminal: Terminal,
  { plan, notes }: { readonly plan: readonly FileAction[]; readonly notes: readonly string[] },
): Promise<void> {
  const lines = [
    ...plan.flatMap((one) => {
      const line = `${marks[one.action].padEnd(8)} ${one.path}: ${one.why}`;
      if (one.action === "create") return [line, ...renderLineDiff(one.path, null, one.text), ""];
      return one.action === "update" ? [line, ...renderLineDiff(one.path, one.before, one.text), ""] : [line];
    }),
    ...notes.map((note) => `note     ${note}`),
  ];
  for (const line of lines) await writeLine(terminal.stdout, escapeTerminal(line));
}

async function sayEnd(
  terminal: Terminal,
  end: { readonly wanted: readonly FileAction[]; readonly write: boolean; readonly refused: readonly string[] },
): Promise<void> {
  const { wanted, write, refused } = end;
  if (wanted.length === 0) return writeLine(terminal.stdout, "Nothing to write.");
  if (!write) return writeLine(terminal.stdout, "Nothing was written.");
  const written = wanted.map((one) => one.path).filter((path) => !refused.includes(path));
  for (const path of refused)
    await writeLine(terminal.stdout, escapeTerminal(`left     ${path}: it was changed while you read the proposal`));
  await writeLine(terminal.stdout, escapeTerminal(`Written: ${written.join(", ")}.`));
  await writeLine(terminal.stdout, `Commit it: only the copy on the base revision counts.`);
}
