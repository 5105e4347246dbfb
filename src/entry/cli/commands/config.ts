import type { Command } from "commander";
import { findPolicy, type FoundPolicy } from "../../../app/policy/find-policy.ts";
import { decideCacheLimit } from "../../../core/config/cache-limit.ts";
import { explainPolicy, policyKeys, policyPath } from "../../../core/policy/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { knownPlaces } from "../../run/known-places.ts";
import { createGit } from "../create-git.ts";
import { writeLine, type Terminal } from "../terminal.ts";

interface ConfigOptions {
  readonly base?: string;
  readonly json?: boolean;
}

/** One setting as it holds here. */
interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly means: string;
}

const help = `
Policy comes from ${policyPath} of the base revision and from nowhere else: what the work tree says counts once it is
merged. Flags may be stricter than the policy, never milder. Places of this machine come from the environment.
docs/policy.md has every key.

  trueup config                        # everything that holds here
  trueup config explain minimum_grade  # one key: value, source, meaning`;

/** `trueup config` and `trueup config explain KEY`: what holds here, and who says so. */
export function registerConfig(program: Command, terminal: Terminal): void {
  const config = program
    .command("config")
    .description("Say which settings hold here, and where each comes from.")
    .option("--base <rev>", "the revision whose policy is asked for (default: as `trueup check`)")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: ConfigOptions) => {
      await printSettings(terminal, await readSettings(terminal, options), options);
    });
  config
    .command("explain")
    .description("One setting: its value, where it comes from, and what it means.")
    .argument("<key>", `one of ${[...policyKeys.map(({ key }) => key), ...machineKeys].join(", ")}`)
    .action(async (key: string, _options: unknown, command: Command) => {
      const options: ConfigOptions = command.optsWithGlobals();
      const settings = await readSettings(terminal, options, key);
      await printSettings(terminal, settings, options);
    });
}

const machineKeys: readonly string[] = ["state", "cache", "cache.max_bytes"];

async function readSettings(terminal: Terminal, options: ConfigOptions, key?: string): Promise<readonly Setting[]> {
  const known = [...policyKeys.map((one) => one.key), ...machineKeys];
  if (key !== undefined && !known.includes(key))
    throw new TrueupError("usage", { subject: key, detail: `no such key; there are ${known.join(", ")}` });
  const wanted = (one: Setting): boolean => key === undefined || one.key === key;
  const machine = machineSettings(terminal).filter(wanted);
  // A key of the machine is answered outside of a repository too.
  if (key !== undefined && machineKeys.includes(key)) return machine;
  const found = await findPolicy(await createGit(terminal), {
    directory: terminal.cwd,
    base: options.base ?? null,
  });
  return [...policySettings(found).filter(wanted), ...machine];
}

function policySettings({ base, policy }: FoundPolicy): readonly Setting[] {
  const from = `${policyPath} of base ${base.base.commit.slice(0, 12)} (${base.source})`;
  return explainPolicy(policy).map(({ key, value, said, means }) => ({
    key,
    value,
    source: said ? from : `default; ${from} does not say it`,
    means,
  }));
}

function machineSettings({ env }: Terminal): readonly Setting[] {
  const places = knownPlaces(env);
  const limit = decideCacheLimit({ flag: undefined, variable: env["TRUEUP_CACHE_MAX_BYTES"] });
  if ("invalid" in limit) throw new TrueupError("usage", { subject: `TRUEUP_CACHE_MAX_BYTES ${limit.invalid}` });
  const placed = (own: string, xdg: string): string =>
    [own, xdg].find((name) => (env[name] ?? "").startsWith("/")) ?? "default, below HOME";
  return [
    {
      key: "state",
      value: places.state,
      source: placed("TRUEUP_STATE", "XDG_STATE_HOME"),
      means: "sessions, attempts, checks and keys of this user",
    },
    {
      key: "cache",
      value: places.cache,
      source: placed("TRUEUP_CACHE", "XDG_CACHE_HOME"),
      means: "mirrors, dependencies and baselines; can be deleted",
    },
    { key: "cache.max_bytes", value: limit.bytes, source: limit.source, means: "how large the cache may stay" },
  ];
}

async function printSettings(terminal: Terminal, settings: readonly Setting[], { json }: ConfigOptions): Promise<void> {
  if (json === true) return writeLine(terminal.stdout, logJson({ version: 1, settings }));
  for (const { key, value, source, means } of settings) {
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    await writeLine(terminal.stdout, escapeTerminal(`${key} = ${shown}`));
    await writeLine(terminal.stdout, escapeTerminal(`  ${means}`));
    await writeLine(terminal.stdout, escapeTerminal(`  from: ${source}`));
  }
}
