import { parseTestCommand, type TestsEntry } from "../../core/contract/index.ts";
import type { ShownTests } from "../../core/fit/index.ts";

/** The runner's own command instead of the script that calls it, where the script is nothing else: it reads and lasts better. */
export function directCommand(
  entry: TestsEntry,
  { scripts, paths }: Pick<ShownTests, "scripts" | "paths">,
): TestsEntry {
  const parsed = parseTestCommand(entry.command);
  const name = parsed.ok ? parsed.command.script : null;
  const script = name === null ? undefined : scripts?.[name];
  if (script === undefined) return entry;
  const launcher = paths.has("pnpm-lock.yaml") ? "pnpm exec " : "npx ";
  const inner = parseTestCommand(script);
  const ownProgram = /^(?:node|python3?|pytest|py\.test)\b/u.test(script);
  const command = inner.ok && inner.command.launcher === null && !ownProgram ? `${launcher}${script}` : script;
  return parseTestCommand(command).ok ? { ...entry, command } : entry;
}
