import type {
  ChangeEntry,
  ChangeFacts,
  OverrideFacts,
  OverrideRowFact,
  SignatureFact,
} from "../../core/facts/index.ts";
import {
  allowedSignersPath,
  isOverridePath,
  overrideDirectory,
  overrideNamespace,
  parseAllowedSigners,
  parseOverride,
  signedText,
} from "../../core/override/index.ts";
import type { Clock, CommitRef, Mirror, Signatures } from "../../ports/index.ts";
import { readPolicy } from "./read-policy.ts";

/** A row is short: more bytes than this are none, and are not read. */
const longestRow = 65_536;
/** More rows than a person signs for one change; the rest are not checked, which is no pass. */
const mostRows = 100;

export interface OverridesOf {
  readonly mirror: Mirror;
  readonly base: CommitRef;
  /** Whose signers and policy count: in CI the tip of the base, since a change may have left it before a key was taken out. */
  readonly policyBase?: CommitRef;
  readonly change: ChangeFacts;
}

export interface OverridePorts {
  readonly signatures: Signatures;
  readonly clock: Clock;
}

/** What a change says of overrides, checked against what base allows; null when it touches none of their paths. */
export async function gatherOverrides(of: OverridesOf, ports: OverridePorts): Promise<OverrideFacts | null> {
  const { mirror, change } = of;
  const rules = of.policyBase ?? of.base;
  const entries = change.entries.filter(({ path }) => path.startsWith(overrideDirectory));
  if (entries.length === 0) return null;
  const allowedSigners = (await mirror.readFile(rules.tree, allowedSignersPath)) ?? new Uint8Array();
  const signers = parseAllowedSigners(new TextDecoder().decode(allowedSigners));
  const rows: OverrideRowFact[] = [];
  for (const [index, entry] of entries.entries()) {
    const added = entry.status === "added" && entry.new_mode === "100644" && isOverridePath(entry.path);
    const text = added ? await readRow(of, entry) : null;
    const signature =
      index < mostRows
        ? await checkRow(text, allowedSigners, ports.signatures)
        : ({ outcome: "unavailable", detail: `only ${mostRows} rows of a change are checked` } as const);
    rows.push({ path: entry.path, added, text, signature });
  }
  return {
    change_digest: await digestWithoutRows(of, entries),
    allowed_signers: signers.length,
    require_presence: (await readPolicy(mirror, rules)).require_presence ?? false,
    judged_at: new Date(ports.clock.now()).toISOString(),
    rows,
  };
}

/** The digest of the change as it is without its override rows, which is what a row can name. */
async function digestWithoutRows(
  { mirror, base, change }: OverridesOf,
  rows: readonly ChangeEntry[],
): Promise<OverrideFacts["change_digest"]> {
  const paths = rows.filter((one) => one.valid_utf8).map(({ path }) => path);
  const tree = await mirror.restorePaths(change.tree, base.tree, paths);
  const without = await mirror.changeFacts(base, { tree, ignored: 0, hazards: [], undetermined: [] }, []);
  return without.change_digest;
}

async function readRow({ mirror, change }: OverridesOf, entry: ChangeEntry): Promise<string | null> {
  if (entry.bytes > longestRow) return null;
  const bytes = await mirror.readFile(change.tree, entry.path);
  if (bytes === null) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function checkRow(
  text: string | null,
  allowedSigners: Uint8Array,
  signatures: Signatures,
): Promise<SignatureFact> {
  const parsed = text === null ? null : parseOverride(text);
  if (parsed === null || !parsed.ok || parsed.file.signature === null)
    return { outcome: "absent", detail: "there is no signature to check" };
  const { row, signature } = parsed.file;
  const signed = { text: signedText(row), signature, namespace: overrideNamespace, user: row.user, allowedSigners };
  return signatures.verify(signed);
}
