import { digestOf, type Digest } from "../../../core/digest.ts";
import { TrueupError } from "../../../errors.ts";
import type { Session } from "../../../ports/index.ts";

/** What `session.json` holds: a session without its contract, which lies beside it. */
export type StoredSession = Omit<Session, "contract">;

/** A session of plain text and known shape, so that the runner starts without a schema library. */
export function encodeSession(session: Session): { readonly session: string; readonly contract: string | null } {
  const { contract, ...stored } = session;
  return {
    session: `${JSON.stringify(stored, null, 2)}\n`,
    contract: contract === null ? null : `${JSON.stringify(contract, null, 2)}\n`,
  };
}

/** Throws `session-damaged` for anything that was not written by `encodeSession`, also a contract that is not the pinned one. */
export function decodeSession(session: string, contract: string | null, subject: string): Session {
  const stored = parseJson(session, subject);
  if (!isStoredSession(stored)) throw damaged(subject, "it is not a session of this version");
  const pinned = contract === null ? null : parseJson(contract, subject);
  const digest = pinned === null ? null : digestOf(pinned);
  if (digest !== stored.contract_digest) throw damaged(subject, "its contract is not the one that was pinned");
  // The digest says that these are the bytes that were parsed strictly when they were pinned.
  return { ...stored, contract: pinned as Session["contract"] };
}

function damaged(subject: string, detail: string, cause?: unknown): TrueupError {
  return new TrueupError("session-damaged", { subject, detail, cause });
}

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw damaged(subject, "it is not JSON", cause);
  }
}

function isStoredSession(value: unknown): value is StoredSession {
  if (!isObject(value)) return false;
  const { version, id, work_tree, base, contract_digest, policy, started_at, closed_at } = value;
  return (
    version === 1 &&
    typeof id === "string" &&
    typeof work_tree === "string" &&
    isBase(base) &&
    (contract_digest === null || isDigest(contract_digest)) &&
    isObject(policy) &&
    (policy["failed_records"] === "retries" || policy["failed_records"] === "any") &&
    typeof started_at === "string" &&
    (closed_at === null || typeof closed_at === "string")
  );
}

function isBase(value: unknown): boolean {
  return isObject(value) && ["commit", "tree", "ref", "source"].every((key) => typeof value[key] === "string");
}

function isDigest(value: unknown): value is Digest {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/u.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
