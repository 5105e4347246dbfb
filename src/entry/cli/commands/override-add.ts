import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { addOverride } from "../../../app/override/add-override.ts";
import { createSystemClock } from "../../../adapters/machine/node/clock.ts";
import type { Finding } from "../../../core/gate/index.ts";
import { agentSign, type OverrideRow } from "../../../core/override/index.ts";
import { TrueupError } from "../../../errors.ts";
import { escapeTerminal, logJson } from "../../../reporters/index.ts";
import { createGit, createSignatures } from "../build-ports.ts";
import { findLastCheck } from "../last-check.ts";
import { readArtifact } from "../read-artifact.ts";
import { writeLine, type Terminal } from "../terminal.ts";

export interface AddOptions {
  readonly reason: string;
  readonly key: string;
  readonly user?: string;
  readonly days: string;
  readonly artifacts?: string;
  readonly json?: boolean;
}

/** `trueup override add`. Throws `override-not-a-person` before anything is read. */
export async function addOverrideHere(
  terminal: Terminal,
  options: AddOptions & { readonly code: string; readonly subject: string | null },
): Promise<void> {
  const person = openPerson(terminal);
  const artifacts = options.artifacts ?? (await lastArtifacts(terminal));
  const { createSshSigner } = await import("../../../adapters/signatures/ssh-keygen/ssh-signer.ts");
  const added = await addOverride(
    {
      directory: terminal.cwd,
      code: options.code,
      subject: options.subject,
      reason: reasonOf(options.reason),
      user: options.user ?? null,
      key: path.resolve(terminal.cwd, options.key),
      days: daysOf(options.days),
      read: (name) => readArtifact(path.resolve(terminal.cwd, artifacts), name),
      confirm: (row, finding) => askForCode(terminal, person, { row, finding }),
      files: { write: writeRow, remove: (root, file) => rm(path.join(root, file), { force: true }) },
    },
    {
      git: await createGit(terminal),
      signatures: await createSignatures(terminal),
      signer: createSshSigner(terminal.env),
      clock: createSystemClock(),
    },
  );
  if (options.json === true) return writeLine(terminal.stdout, logJson({ version: 1, ...added }));
  await writeLine(terminal.stdout, `Signed: ${added.path}`);
  await writeLine(terminal.stdout, "Commit it with the change, then run `trueup check` again.");
}

type Person = ReturnType<NonNullable<Terminal["openStdin"]>>;

/** Standard input of somebody who sits at a terminal. */
function openPerson(terminal: Terminal): Person {
  const sign = agentSign(terminal.env);
  if (sign !== null) throw new TrueupError("override-not-a-person", { detail: `${sign} is set` });
  const stdin = terminal.openStdin?.();
  if (stdin?.isTTY !== true || terminal.stderr.isTTY !== true)
    throw new TrueupError("override-not-a-person", { detail: "this is no terminal" });
  return stdin;
}

async function askForCode(
  terminal: Terminal,
  person: Person,
  { row, finding }: { readonly row: OverrideRow; readonly finding: Finding },
): Promise<boolean> {
  const about = [finding.subject, finding.detail].filter((part) => part !== "").join(": ");
  const lines = [
    `Finding:  ${finding.code}${about === "" ? "" : ` ${about}`}`,
    `Change:   ${row.change}`,
    `Contract: ${row.contract ?? "none"}`,
    `You:      ${row.user}, until ${row.expires_at}`,
    `Reason:   ${row.reason}`,
    "It will be signed, printed in every report of this change, and kept in the repository.",
  ];
  for (const line of lines) await writeLine(terminal.stderr, escapeTerminal(line));
  const asked = createInterface({ input: person, output: terminal.stderr, terminal: false });
  try {
    const typed = await asked.question("Type the finding's code to sign it: ", { signal: terminal.signal });
    return typed.trim() === finding.code;
  } finally {
    asked.close();
    person.pause();
  }
}

async function writeRow(root: string, file: string, text: string): Promise<void> {
  const full = path.join(root, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, text, { flag: "wx", mode: 0o644 });
}

async function lastArtifacts(terminal: Terminal): Promise<string> {
  const last = await findLastCheck(terminal);
  if (last !== null) return last;
  throw new TrueupError("override-finding-missing", {
    detail: "no check was kept on this machine",
    hint: "Run `trueup check` first, or give `--artifacts DIR`.",
  });
}

function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason !== "" && reason.length <= 2000) return reason;
  throw new TrueupError("usage", {
    subject: "--reason",
    detail: "it has to say something, in at most 2000 characters",
  });
}

function daysOf(text: string): number {
  if (/^[1-9][0-9]{0,2}$/u.test(text)) return Number(text);
  throw new TrueupError("usage", { subject: `--days ${text}`, detail: "a whole number from 1 to 999 is wanted" });
}
