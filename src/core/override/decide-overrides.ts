import type { Digest } from "../digest.ts";
import type { OverrideFacts, OverrideRowFact } from "../facts/index.ts";
import {
  digestOfRow,
  isOverridePath,
  overrideNamespace,
  overridePath,
  parseOverride,
  type OverrideRow,
} from "./override-row.ts";
import { decodeSshSignature, isSecurityKey, type SshSignature } from "./ssh-signature.ts";

/** Why a row does not count. Each blocks under its own code, and no override opens it. */
export const overrideRefusals = [
  "override-not-added",
  "override-malformed",
  "override-altered",
  "override-unsigned",
  "override-wrong-namespace",
  "override-without-signers",
  "override-unknown-signer",
  "override-without-presence",
  "override-replayed",
  "override-expired",
  "override-not-allowed",
  "override-not-checked",
] as const;

export type OverrideRefusal = (typeof overrideRefusals)[number];

/** A row that holds: the person who signed it, and what for. */
export interface ValidOverride {
  readonly row: OverrideRow;
  readonly digest: Digest;
  /** Fingerprint of the key. */
  readonly key: string;
}

/** A row that does not, and why in words. */
export interface RefusedOverride {
  readonly code: OverrideRefusal;
  readonly path: string;
  readonly detail: string;
}

export interface DecidedOverrides {
  readonly valid: readonly ValidOverride[];
  readonly refused: readonly RefusedOverride[];
}

/** What no signature opens: a log that cannot be believed, another contract, and anything about overrides themselves. */
export function isOverridable(code: string): boolean {
  return code !== "log-broken" && code !== "contract-changed" && !code.startsWith("override-");
}

/** Five minutes: two clocks may differ by so much. */
const clockSkewMs = 300_000;

/** Which rows of a change hold. Pure: signatures and the date come as facts. */
export function decideOverrides(facts: OverrideFacts | undefined, contract: Digest | null): DecidedOverrides {
  if (facts === undefined) return { valid: [], refused: [] };
  const decided = facts.rows.map((row) => decideRow(row, { facts, contract }));
  return {
    valid: decided.filter((one): one is ValidOverride => "row" in one),
    refused: decided.filter((one): one is RefusedOverride => "code" in one),
  };
}

interface Around {
  readonly facts: OverrideFacts;
  readonly contract: Digest | null;
}

function decideRow(fact: OverrideRowFact, around: Around): ValidOverride | RefusedOverride {
  const refuse = ([code, detail]: Flaw): RefusedOverride => ({ code, path: fact.path, detail });
  if (!fact.added || !isOverridePath(fact.path))
    return refuse(["override-not-added", "rows are only ever added, as files"]);
  if (fact.text === null) return refuse(["override-malformed", "it cannot be read as text"]);
  const parsed = parseOverride(fact.text);
  if (!parsed.ok) return refuse(["override-malformed", parsed.reason]);
  const { row, signature } = parsed.file;
  if (overridePath(row) !== fact.path) return refuse(["override-altered", "its name is not the digest of its row"]);
  if (signature === null) return refuse(["override-unsigned", "it has no signature"]);
  const told = decodeSshSignature(signature);
  if (told === null) return refuse(["override-altered", "its signature is none that ssh-keygen writes"]);
  const flaw = signatureFlaw(told, { fact, user: row.user, around }) ?? rowFlaw(row, around);
  return flaw === null ? { row, digest: digestOfRow(row), key: told.fingerprint } : refuse(flaw);
}

type Flaw = readonly [code: OverrideRefusal, detail: string];

function signatureFlaw(
  told: SshSignature,
  { fact, user, around }: { readonly fact: OverrideRowFact; readonly user: string; readonly around: Around },
): Flaw | null {
  const { facts } = around;
  if (told.namespace !== overrideNamespace)
    return ["override-wrong-namespace", `signed for ${told.namespace || "nothing"}, not for ${overrideNamespace}`];
  if (facts.allowed_signers === 0) return ["override-without-signers", "base names nobody who may override"];
  const { signature } = fact;
  if (signature.outcome === "altered") return ["override-altered", signature.detail];
  if (signature.outcome === "unknown-signer") return ["override-unknown-signer", `${user}: ${signature.detail}`];
  if (signature.outcome !== "verified") return ["override-not-checked", signature.detail];
  if (facts.require_presence && !(isSecurityKey(told.keyType) && told.touched === true))
    return ["override-without-presence", `signed with ${told.keyType}; base takes only keys that want a touch`];
  return null;
}

function rowFlaw(row: OverrideRow, { facts, contract }: Around): Flaw | null {
  if (!isOverridable(row.finding.code)) return ["override-not-allowed", `${row.finding.code} cannot be overridden`];
  if (row.change !== facts.change_digest)
    return ["override-replayed", `signed for change ${row.change}, this is ${facts.change_digest}`];
  if (row.contract !== contract)
    return ["override-replayed", `signed under contract ${row.contract ?? "none"}, this is ${contract ?? "none"}`];
  const [now, from, to] = [facts.judged_at, row.created_at, row.expires_at].map((time) => Date.parse(time));
  // A time that is none compares false with everything: it must not pass.
  const holds = now !== undefined && from !== undefined && to !== undefined && from - clockSkewMs <= now && now < to;
  if (!holds)
    return ["override-expired", `holds from ${row.created_at} to ${row.expires_at}, judged at ${facts.judged_at}`];
  return null;
}
