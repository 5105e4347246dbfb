import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { verifyOverrides } from "../../../app/override/verify-overrides.ts";
import { createSystemClock } from "../../../adapters/machine/node/clock.ts";
import { compareText } from "../../../core/digest.ts";
import {
  overrideDirectory,
  parseOverride,
  type OverrideResult,
  type OverrideRow,
} from "../../../core/override/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { createGit, createSignatures } from "../build-ports.ts";
import { readContractFile } from "../read-contract.ts";
import { writeLine, type Terminal } from "../terminal.ts";

export interface VerifyOptions {
  readonly base?: string;
  readonly contract?: string;
  readonly json?: boolean;
}

/** `trueup override list`: what lies in the work tree, unchecked. */
export async function listOverridesHere(terminal: Terminal, json: boolean): Promise<void> {
  const git = await createGit(terminal);
  const place = await git.findWorkTree(terminal.cwd);
  if (place === null) throw new TrueupError("not-a-repository", { subject: terminal.cwd });
  const rows = await readRows(path.join(place.root, overrideDirectory));
  if (json) {
    const told = rows.map(({ name, result }) =>
      result.ok ? { name, row: result.file.row } : { name, unreadable: result.reason },
    );
    return writeLine(terminal.stdout, logJson({ version: 1, overrides: told }));
  }
  if (rows.length === 0) await writeLine(terminal.stdout, "No overrides.");
  const now = createSystemClock().now();
  for (const { name, result } of rows) {
    const words = result.ok ? rowWords(result.file.row, now) : `cannot be read: ${result.reason}`;
    await writeLine(terminal.stdout, escapeTerminal(`${name.slice(0, 12)}  ${words}`));
  }
}

/** `trueup override verify`: 0 all hold, 1 one does not, 3 there is none. */
export async function verifyOverridesHere(terminal: Terminal, options: VerifyOptions): Promise<0 | 1 | 3> {
  const { contract } = options;
  const given = contract === undefined ? null : await readContractFile(terminal, contract);
  const { base, decided } = await verifyOverrides(
    {
      directory: terminal.cwd,
      base: options.base ?? null,
      contract: given,
    },
    {
      git: await createGit(terminal),
      signatures: await createSignatures(terminal),
      clock: createSystemClock(),
    },
  );
  const { valid, refused } = decided ?? { valid: [], refused: [] };
  if (options.json === true) {
    await writeLine(terminal.stdout, logJson({ version: 1, base: base.base.commit, valid, refused }));
  } else {
    const lines = [
      `Against ${base.base.commit.slice(0, 12)} (${base.source}):`,
      ...(valid.length + refused.length === 0 ? ["the change adds no override"] : []),
      ...valid.map(({ row, key }) => `holds    ${rowWords(row, 0)} (${key})`),
      ...refused.map(({ code, path: file, detail }) => `refused  ${code} ${file}: ${detail}`),
    ];
    for (const line of lines) await writeLine(terminal.stdout, escapeTerminal(line));
  }
  if (refused.length > 0) return 1;
  return valid.length === 0 ? 3 : 0;
}

async function readRows(
  directory: string,
): Promise<readonly { readonly name: string; readonly result: OverrideResult }[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return Promise.all(
    names.toSorted(compareText).map(async (name) => {
      const text = await readFile(path.join(directory, name), "utf8").catch((error: NodeJS.ErrnoException) => error);
      const result = typeof text === "string" ? parseOverride(text) : { ok: false as const, reason: text.code ?? "" };
      return { name, result };
    }),
  );
}

function rowWords(row: OverrideRow, now: number): string {
  const { code, subject } = row.finding;
  const over = Date.parse(row.expires_at) <= now ? "ended" : "until";
  return `${[code, subject].join(" ").trim()} by ${row.user}, ${over} ${row.expires_at.slice(0, 10)}: ${row.reason}`;
}
