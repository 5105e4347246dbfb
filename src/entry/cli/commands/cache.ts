import type { Command } from "commander";
import { cleanCache } from "../../../app/clean-cache/clean-cache.ts";
import { totalBytes } from "../../../core/cache/index.ts";
import { cacheEntryLine, cacheLines, escapeTerminal, logJson, sizeText } from "../../../reporters/index.ts";
import { createKeeper } from "../build-ports.ts";
import { openPlaces } from "../places.ts";
import type { ExitSlot } from "../run-cli.ts";
import { writeLine, type Terminal } from "../terminal.ts";
import { readCacheLimit } from "../trim-cache.ts";

interface CleanOptions {
  readonly maxBytes?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const help = `
Everything in the cache can be made again: copies of repositories, installed dependencies, checkouts, results of
bases. \`clean\` removes the least recently used first until the rest fits; what a running command uses stays.
\`deliver\`, \`check\` and \`preflight\` do the same when they end.

  trueup cache status
  trueup cache clean --max-bytes 5G
  trueup cache clean --all --dry-run

The limit is --max-bytes, else TRUEUP_CACHE_MAX_BYTES, else 20G. Exit codes: 0, or 2 for usage and environment.`;

/** `trueup cache status|clean`: how large the cache is, and making it smaller. */
export function registerCache(program: Command, terminal: Terminal, exit: ExitSlot): void {
  const cache = program.command("cache").description("Show or clean what was kept to be faster the next time.");
  cache.addHelpText("after", help);
  cache
    .command("status")
    .description("Show the cache's place, size, limit and what of it is in use.")
    .option("--json", "print one JSON object")
    .action(async (options: { readonly json?: boolean }) => {
      await showStatus(terminal, options.json === true);
      exit.code = 0;
    });
  cache
    .command("clean")
    .description("Remove the least recently used entries until the rest fits into the limit.")
    .option("--max-bytes <size>", "the limit: 5G, 500M, 0")
    .option("--all", "remove everything that is not in use")
    .option("--dry-run", "only say what would be removed")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: CleanOptions) => {
      await clean(terminal, options);
      exit.code = 0;
    });
}

async function showStatus(terminal: Terminal, json: boolean): Promise<void> {
  const { cache } = await openPlaces(terminal);
  const limit = readCacheLimit(terminal);
  const entries = await (await createKeeper(terminal)).list();
  const bytes = totalBytes(entries);
  if (json) return writeLine(terminal.stdout, logJson({ version: 1, place: cache, bytes, limit, entries }));
  const lines = [
    `${cache}: ${sizeText(bytes)} of at most ${sizeText(limit.bytes)} (${limit.source})`,
    ...cacheLines(entries),
  ];
  for (const line of lines) await writeLine(terminal.stdout, escapeTerminal(line));
}

async function clean(terminal: Terminal, options: CleanOptions): Promise<void> {
  const maxBytes = options.all === true ? 0 : readCacheLimit(terminal, options.maxBytes).bytes;
  const dryRun = options.dryRun === true;
  const cleaned = await cleanCache(await createKeeper(terminal), { maxBytes, dryRun });
  if (options.json === true) return writeLine(terminal.stdout, logJson({ version: 1, dry_run: dryRun, ...cleaned }));
  const { removed, held, bytes_before: before, bytes_after: after } = cleaned;
  const lines = [
    `${dryRun ? "Would remove" : "Removed"} ${removed.length} entries, ${sizeText(before - after)}; ${sizeText(after)} stay.`,
    ...removed.map(cacheEntryLine),
    ...(after > maxBytes && held.length > 0 ? [`  ${held.length} stay because a running command uses them.`] : []),
  ];
  for (const line of lines) await writeLine(terminal.stdout, escapeTerminal(line));
}
