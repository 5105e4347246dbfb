import { createHash } from "node:crypto";

/** The git hooks that Trueup has an answer for. `pre-receive` is for a bare repository that others push to. */
export const gitHookNames = ["pre-commit", "pre-push", "pre-receive"] as const;

export type GitHookName = (typeof gitHookNames)[number];

/** Where an installed hook finds us: both absolute, since programs with windows run hooks with a bare PATH. */
export interface HookProgram {
  readonly node: string;
  readonly program: string;
}

/** The line that says that a file is ours, and by a digest of the rest that nobody has added to it. */
const mark = /^# trueup-hook ([0-9a-f]{16})\n/mu;

/** The name under which a hook that was here before is kept beside ours, and run before it. */
export function keptHookName(name: GitHookName): string {
  return `${name}.before-trueup`;
}

/** Whose a hook file is by its text: ours, ours with lines that somebody changed, or somebody else's. */
export function hookOwner(text: string): "ours" | "edited" | "other" {
  const found = mark.exec(text);
  if (found === null) return "other";
  return found[1] === digestOfRest(text.replace(mark, "")) ? "ours" : "edited";
}

function digestOfRest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/**
 * The hook as a shell script: the hook that was here before, then ours. Both get the same arguments and, where git gives
 * one, the same standard input. What cannot be started blocks: a layer that is gone is never taken for a pass.
 */
export function renderGitHook(name: GitHookName, { node, program }: HookProgram): string {
  const reads = name !== "pre-commit";
  const give = (command: string): string => (reads ? `give_input | ${command}` : command);
  const [first, ...rest] = [
    "#!/bin/sh",
    "# `trueup hook uninstall` removes this file and puts back the hook that was here before.",
    ...(name === "pre-receive"
      ? []
      : ["# TRUEUP_HOOK=off leaves this check out; the next layer still judges the change."]),
    `name=${name}`,
    `node=${quoteForShell(node)}`,
    `program=${quoteForShell(program)}`,
    "hooks=${0%/*}",
    ...(reads ? ["input=$(cat)", `give_input() { [ -z "$input" ] || printf '%s\\n' "$input"; }`] : []),
    `kept="$hooks/${keptHookName(name)}"`,
    'if [ "${TRUEUP_HOOK-}" != probe ] && [ -x "$kept" ]; then',
    `  ${give('"$kept" "$@"')} || exit $?`,
    "fi",
    // Whoever pushes may set the environment here: it does not switch off what a repository demands of them.
    ...(name === "pre-receive" ? [] : ['[ "${TRUEUP_HOOK-}" = off ] && exit 0']),
    '[ -x "$node" ] || node=$(command -v node)',
    'if [ -n "$node" ] && [ -f "$program" ]; then',
    `  ${give('"$node" "$program" hook run "$name" "$@"')}`,
    "  exit $?",
    "fi",
    'echo "trueup: the $name hook finds no Node or no $program any more: nothing was judged." >&2',
    'echo "  Run \\`trueup hook install\\` again, or remove $0." >&2',
    "exit 1",
    "",
  ];
  return [first, `# trueup-hook ${digestOfRest([first, ...rest].join("\n"))}`, ...rest].join("\n");
}

/** One word for a POSIX shell, whatever is in it. */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
