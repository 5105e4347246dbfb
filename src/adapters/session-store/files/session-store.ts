import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { TrueupError } from "../../../errors.ts";
import type { Clock, Ids, Session, SessionStore } from "../../../ports/index.ts";
import { decodeSession, encodeSession } from "./session-format.ts";
import { expectPrivate, listNames, makePrivateDirectory, readTextFile, replaceTextFile } from "./state-files.ts";

export interface SessionStoreOptions {
  /** The state directory. */
  readonly state: string;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Ids;
}

/** Where the newest session of each work tree is named, by the digest of the work tree's real path. */
const openNames = "open";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Sessions under `<state>/sessions`, each a directory for its owner alone. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const root = path.join(options.state, "sessions");
  const directoryOf = (id: string): string => path.join(root, id);
  const read = (id: string): Session | null => readSession(directoryOf(id));
  const close = (id: string): void => closeSession(directoryOf(id), new Date(options.clock.now()).toISOString());
  const openIn = (workTree: string): Session | null => {
    const id = readTextFile(indexFile(root, workTree))?.trim();
    const session = id === undefined || !uuid.test(id) ? null : read(id);
    return session === null || session.closed_at !== null || session.work_tree !== workTree ? null : session;
  };
  return {
    directoryOf,
    close: async (id) => close(id),
    find: async (directory, id) => (id === undefined ? findIn(directory, openIn) : named(id, read)),
    async list() {
      const names = listNames(root).filter((name) => uuid.test(name));
      return names.flatMap((name) => read(name) ?? []);
    },
    async start(pinned, tracked = []) {
      expectOutside(options.state, pinned.work_tree);
      const started_at = new Date(options.clock.now()).toISOString();
      const session: Session = { ...pinned, version: 1, id: options.ids.next(), started_at, closed_at: null };
      const before = unlessDamaged(() => openIn(pinned.work_tree));
      writeSession(directoryOf(session.id), session, tracked);
      makePrivateDirectory(path.join(root, openNames));
      replaceTextFile(indexFile(root, pinned.work_tree), `${session.id}\n`, true);
      if (before !== null) close(before.id);
      return session;
    },
  };
}

/** A session that cannot be read cannot be closed; the new one takes its place all the same. */
function unlessDamaged(read: () => Session | null): Session | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof TrueupError && error.code === "session-damaged") return null;
    throw error;
  }
}

function indexFile(root: string, workTree: string): string {
  return path.join(root, openNames, createHash("sha256").update(workTree).digest("hex"));
}

/** The nearest `.git` decides whose work tree a directory is: a linked one inside another is its own. */
function findIn(directory: string, openIn: (workTree: string) => Session | null): Session | null {
  let at: string;
  try {
    at = realpathSync.native(directory);
  } catch {
    return null;
  }
  for (; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return openIn(at);
    if (path.dirname(at) === at) return null;
  }
}

/** Whoever names a session means that one: a wrong name is never another session. */
function named(id: string, read: (id: string) => Session | null): Session {
  const session = uuid.test(id) ? read(id) : null;
  if (session === null)
    throw new TrueupError("session-missing", { subject: id, detail: "TRUEUP_SESSION names no session" });
  if (session.closed_at !== null)
    throw new TrueupError("session-missing", { subject: id, detail: `closed at ${session.closed_at}` });
  return session;
}

function readSession(directory: string): Session | null {
  const text = readTextFile(path.join(directory, "session.json"));
  if (text === null) return null;
  expectPrivate(directory);
  return decodeSession(text, readTextFile(path.join(directory, "contract.json")), directory);
}

function writeSession(directory: string, session: Session, tracked: readonly string[]): void {
  makePrivateDirectory(directory);
  const encoded = encodeSession(session);
  if (encoded.contract !== null) replaceTextFile(path.join(directory, "contract.json"), encoded.contract, true);
  replaceTextFile(path.join(directory, "tracked"), tracked.map((name) => `${name}\0`).join(""), true);
  replaceTextFile(path.join(directory, "session.json"), encoded.session, true);
}

function closeSession(directory: string, closed_at: string): void {
  const session = readSession(directory);
  if (session === null || session.closed_at !== null) return;
  replaceTextFile(path.join(directory, "session.json"), encodeSession({ ...session, closed_at }).session, true);
}

/** State inside the work tree could be read and written by whatever is judged. */
function expectOutside(state: string, workTree: string): void {
  const relative = path.relative(workTree, existsSync(state) ? realpathSync.native(state) : path.resolve(state));
  if (relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative)))
    throw new TrueupError("place-in-work-tree", { subject: state });
}
