import type { Command } from "commander";
import { planUninitFiles, removeInitFiles } from "../../../app/init/init-repository.ts";
import type { RemovalAction } from "../../../core/init/index.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { askConsent } from "../ask-consent.ts";
import { createInitPorts } from "../init-ports.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface UninitOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const help = `
What init wrote is known from a record on this machine, outside the repository. A file that was changed since is kept and
named, and so is everything that init did not write. Sessions, records, caches and keys are never touched.

  trueup uninit --dry-run

Exit codes: 0 removed, or nothing to remove, or no was said; 2 usage, configuration or environment.`;

/** `trueup uninit`: takes out what `init` wrote here and nobody has changed since. */
export function registerUninit(program: Command, terminal: Terminal, exit: ExitSlot): void {
  program
    .command("uninit")
    .description("Take out what init wrote into this work tree; what you changed stays.")
    .option("--yes", "remove without asking")
    .option("--dry-run", "only show what would be removed")
    .option("--json", "print one JSON object; removes only with --yes")
    .addHelpText("after", help)
    .action(async (options: UninitOptions) => {
      await uninit(terminal, options);
      exit.code = 0;
    });
}

async function uninit(terminal: Terminal, options: UninitOptions): Promise<void> {
  const ports = await createInitPorts(terminal);
  const plan = (await planUninitFiles(ports)) ?? [];
  const removals = plan.filter((one) => one.action === "remove");
  if (options.json !== true) await showPlan(terminal, plan);
  const remove = plan.length > 0 && (removals.length === 0 || (await mayRemove(terminal, removals.length, options)));
  const act = remove && options.dryRun !== true;
  const refused = act ? await removeInitFiles(plan, ports) : [];
  if (options.json === true) {
    const actions = plan.map((one) => ({ action: one.action, path: one.path, why: whyOf(one) }));
    await writeLine(terminal.stdout, logJson({ version: 1, root: ports.files.root, actions, removed: act, refused }));
    return;
  }
  for (const path of refused)
    await writeLine(terminal.stdout, escapeTerminal(`kept     ${path}: it was changed while you read this`));
  const count = removals.length - refused.length;
  await writeLine(terminal.stdout, act && count > 0 ? `Removed ${count} of ${plan.length}.` : "Nothing was removed.");
}

async function mayRemove(terminal: Terminal, count: number, options: UninitOptions): Promise<boolean> {
  if (options.dryRun === true) return false;
  if (options.yes === true) return true;
  if (options.json === true) return false;
  return askConsent(terminal, `Remove ${count === 1 ? "this file" : `these ${count} files`}?`);
}

async function showPlan(terminal: Terminal, plan: readonly RemovalAction[]): Promise<void> {
  if (plan.length === 0) await writeLine(terminal.stdout, "This machine has no record of an init in this work tree.");
  for (const one of plan)
    await writeLine(terminal.stdout, escapeTerminal(`${one.action.padEnd(8)} ${one.path}: ${whyOf(one)}`));
}

function whyOf(one: RemovalAction): string {
  return one.action === "remove" ? "as init wrote it" : one.why;
}
