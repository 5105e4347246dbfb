import { realpathSync } from "node:fs";
import path from "node:path";
import { Argument, type Command } from "commander";
import { createHookFiles } from "../../../adapters/hook-files/disk/hook-files.ts";
import {
  installHooks,
  uninstallHooks,
  type HookChange,
  type HooksRequest,
} from "../../../app/install-hooks/install-hooks.ts";
import { agentClients, agentSettingsFile, gitHookNames, type GitHookName } from "../../../core/hooks/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { packageRoot } from "../package-version.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface HookOptions {
  readonly git?: boolean;
  readonly preReceive?: boolean;
  readonly claude?: boolean;
  readonly codex?: boolean;
  readonly user?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const help = `
Without a flag the git hooks are meant: pre-commit and pre-push in a work tree, pre-receive in a bare repository. A hook
that is there already is kept and runs first; uninstall puts it back. Hooks that a tool manages (husky, lefthook, a
directory of the work tree) want one line of their own: docs/hooks.md has it.

  trueup hook install                   # git hooks of this repository
  trueup hook install --claude          # stop and pre-tool hooks in .claude/settings.json, for everybody: commit it
  trueup hook install --codex --user    # the same for Codex, in your own settings only
  trueup hook uninstall --git --claude

TRUEUP_HOOK=off leaves the git hooks out once. Agents' hooks say what is wrong in time; they are no wall.`;

/** `trueup hook`: puts Trueup where git and agents ask before they go on, and takes it out again. */
export function registerHook(program: Command, terminal: Terminal, exit: ExitSlot): void {
  const hook = program.command("hook").description("Install or remove the git hooks and the hooks of agents.");
  for (const name of ["install", "uninstall"] as const)
    hook
      .command(name)
      .description(
        name === "install" ? "Install hooks; existing ones are kept." : "Remove our hooks, and nothing else.",
      )
      .option("--git", "the git hooks (default where no agent is named)")
      .option("--pre-receive", "the hook of a repository that others push to")
      .option("--claude", "the hooks of Claude Code")
      .option("--codex", "the hooks of Codex")
      .option("--user", "agents' hooks in your own settings instead of the project's")
      .option("--dry-run", "only say what would be done")
      .option("--json", "print one JSON object")
      .addHelpText("after", help)
      .action(async (options: HookOptions) => {
        exit.code = await changeHooks(terminal, name, options);
      });
  hook
    .command("run", { hidden: true })
    .addArgument(new Argument("<name>").choices(["pre-push", "pre-receive"]))
    .argument("[words...]", "what git gives the hook beside its input")
    .action(async (name: "pre-push" | "pre-receive") => {
      const { runPushHook } = await import("../../hook/run-push-hook.ts");
      exit.code = await runPushHook(name, terminal);
    });
}

async function changeHooks(terminal: Terminal, verb: "install" | "uninstall", options: HookOptions): Promise<number> {
  const files = createHookFiles({ environment: terminal.env });
  const place = await files.findGitHooks(terminal.cwd);
  if (place === null) throw new TrueupError("not-a-repository", { subject: terminal.cwd });
  const request = requestOf(terminal, place.root, options);
  const changes = await (verb === "install" ? installHooks(request, files) : uninstallHooks(request, files));
  if (options.json === true) await writeLine(terminal.stdout, logJson({ changes, dry_run: request.dryRun }));
  else for (const change of changes) await writeLine(terminal.stdout, lineOf(change, request.dryRun));
  const open = changes.some(({ state }) => state === "managed" || state === "edited");
  return open && verb === "install" ? 2 : 0;
}

function requestOf(terminal: Terminal, root: string | null, options: HookOptions): HooksRequest {
  const program = hookProgram();
  const clients = agentClients.filter((client) => options[client] === true);
  const wantsGit = options.git === true || (clients.length === 0 && options.preReceive !== true);
  const usual: readonly GitHookName[] = root === null ? ["pre-receive"] : ["pre-commit", "pre-push"];
  const git = gitHookNames.filter(
    (name) => (wantsGit && usual.includes(name)) || (name === "pre-receive" && options.preReceive === true),
  );
  const agents = clients.map((client) => {
    const user = options.user === true || root === null;
    const file = agentSettingsFile(client, user ? { env: terminal.env } : { project: root });
    if (file === null) throw new TrueupError("usage", { subject: "--user", detail: "HOME is not known" });
    return { client, file, program: user ? program : null };
  });
  return { directory: terminal.cwd, git, agents, program, dryRun: options.dryRun === true };
}

/** This very installation, whatever a later PATH has. */
export function hookProgram(): HooksRequest["program"] {
  return { node: realpathSync(process.execPath), program: path.join(packageRoot(), "bin", "trueup.js") };
}

const words: Readonly<Record<HookChange["state"], string>> = {
  installed: "installed",
  unchanged: "is installed already",
  removed: "removed",
  managed: "not installed: its directory is part of the work tree. Add to the hook there",
  edited: "left alone: somebody has changed it since it was installed",
  absent: "nothing of ours was there",
};

function lineOf({ layer, file, state, kept }: HookChange, dryRun: boolean): string {
  const line = state === "managed" ? ` the line: npx --no-install trueup hook run ${layer} "$@"` : "";
  const beside =
    kept === null
      ? ""
      : state === "removed"
        ? `; put back: ${path.basename(kept)}`
        : `; runs first: ${path.basename(kept)}`;
  const would = dryRun ? "would be " : "";
  const said = state === "installed" || state === "removed" ? `${would}${words[state]}` : words[state];
  return escapeTerminal(`${layer}: ${said}${line} (${file})${beside}`);
}
