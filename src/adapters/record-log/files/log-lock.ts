import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { TrueupError } from "../../../errors.ts";
import { errnoOf, readBytes, undo, writeNew, type LogCalls } from "./log-calls.ts";
import { isDead, readOwnIdentity, type ProcessIdentity } from "./process-identity.ts";

/** How long a process waits for others, in milliseconds; each holds the lock for one short write. */
const patienceMs = 60_000n;
const pauseMs = 2;
const spreadMs = 8;

/** One taking of a lock: who, and a name that no other taking has. */
interface Claim extends ProcessIdentity {
  readonly name: string;
}

interface Attempt {
  readonly calls: LogCalls;
  readonly file: string;
  readonly mine: Claim;
  /** A file that holds `mine`, to be linked or moved into place whole. */
  readonly ready: string;
}

/** Runs `act` while no other process holds the lock. `act` does not wait for anything. */
export async function withLogLock<T>(calls: LogCalls, file: string, act: () => T): Promise<T> {
  const mine: Claim = { ...readOwnIdentity(), name: randomUUID({ disableEntropyCache: true }) };
  const attempt: Attempt = { calls, file, mine, ready: path.join(path.dirname(file), `.${mine.name}.lock`) };
  // The global `performance` takes as long to load as all else that a lock does.
  const until = process.hrtime.bigint() + patienceMs * 1_000_000n;
  for (;;) {
    const holder = tryTake(attempt);
    if (holder === null) break;
    if (process.hrtime.bigint() > until) throw lockedError(file, holder);
    await pause(pauseMs + Math.random() * spreadMs);
  }
  try {
    return act();
  } finally {
    release(calls, file);
  }
}

/** What was written stands whether or not this works; a lock that stays is free once this process is gone. */
function release(calls: LogCalls, file: string): void {
  try {
    calls.rmSync(file, { force: true });
  } catch {
    undo(() => calls.rmSync(file, { force: true }));
  }
}

/** Null when the lock is ours now, else who holds it. Leaves no file of ours but the lock. */
function tryTake(attempt: Attempt): Claim | null {
  const { calls, file, mine, ready } = attempt;
  try {
    writeNew(calls, ready, { text: JSON.stringify(mine), durable: false });
    if (link(attempt, file)) return null;
    const holder = readClaim(calls, file);
    if (holder === null) return mine;
    return isDead(holder, mine) && inherit(attempt, holder) ? null : holder;
  } finally {
    undo(() => calls.rmSync(ready, { force: true }));
  }
}

/** By a link, so that nobody ever sees a lock without its holder. */
function link({ calls, ready }: Attempt, to: string): boolean {
  try {
    calls.linkSync(ready, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Takes the lock of a dead holder. Only the one heir of exactly that taking may replace it: whoever links the file named
 * after it first. An heir that died has an heir in turn. Names never come twice, so a late heir finds another lock there.
 */
function inherit(attempt: Attempt, dead: Claim): boolean {
  const { calls, file, mine, ready } = attempt;
  const heirFile = (name: string): string => path.join(path.dirname(file), `.${name}.heir`);
  const made: string[] = [];
  for (let name = dead.name; ;) {
    made.push(heirFile(name));
    if (link(attempt, heirFile(name))) break;
    const other = readClaim(calls, heirFile(name));
    if (other === null || !isDead(other, mine)) return false;
    name = other.name;
  }
  const current = readClaim(calls, file);
  const ours = current !== null && current.name === dead.name;
  if (ours) calls.renameSync(ready, file);
  for (const each of ours ? made : made.slice(-1)) undo(() => calls.rmSync(each, { force: true }));
  return ours;
}

function readClaim(calls: LogCalls, file: string): Claim | null {
  const bytes = readBytes(calls, file);
  if (bytes === null) return null;
  try {
    const claim = JSON.parse(Buffer.from(bytes).toString("utf8")) as Partial<Claim> | null;
    if (typeof claim?.name === "string" && typeof claim.pid === "number") return claim as Claim;
  } catch {
    // Falls through: what is no claim is told to the user, who may remove it.
  }
  throw new TrueupError("state-unwritable", {
    subject: file,
    detail: "it is no lock of ours",
    hint: `If no trueup command runs, remove ${file}.`,
  });
}

function lockedError(file: string, { pid, host }: Claim): TrueupError {
  return new TrueupError("state-unwritable", {
    subject: file,
    detail: `locked by process ${pid} on ${host}`,
    hint: `Wait for it to end. If that process, machine or container is gone, remove ${file}.`,
  });
}
