import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUuidIds } from "../../src/adapters/machine/node/uuid-ids.ts";
import { createAttemptStore } from "../../src/adapters/store/files/attempt-store.ts";
import { readOwnIdentity } from "../../src/adapters/store/files/process-identity.ts";
import { createStateFiles, type StateFiles } from "../../src/adapters/store/files/state-files.ts";
import { sha256 } from "../../src/core/digest.ts";
import type { Attempt } from "../../src/ports/index.ts";
import { createFakeClock } from "../fakes/fake-clock.ts";

const clock = createFakeClock();
const ids = createUuidIds(clock);
const taskKey = sha256("task");
const digest = sha256("change");

interface Faults {
  /** Which changing operation fails, counted from 1. */
  readonly at: number;
  /** `stop`: nothing works afterwards, as after a kill. `once`: the next operation works again. */
  readonly kind: "stop" | "once";
  readonly errno: string;
}

/** File operations of which the n-th change fails; a write that fails has left half of its bytes. */
function createFaultyFiles(faults: Faults): { files: StateFiles; changes: () => number } {
  const real = createStateFiles();
  let changes = 0;
  const fails = (): boolean => ++changes === faults.at || (faults.kind === "stop" && changes > faults.at);
  const fail = (): never => {
    throw Object.assign(new Error(faults.errno), { code: faults.errno });
  };
  const change = async <T>(act: () => Promise<T>): Promise<T> => (fails() ? fail() : act());
  const files: StateFiles = {
    ...real,
    makeDirectory: (path) => change(() => real.makeDirectory(path)),
    rename: (from, to) => change(() => real.rename(from, to)),
    link: (from, to) => change(() => real.link(from, to)),
    remove: (path) => change(() => real.remove(path)),
    syncDirectory: (path) => change(() => real.syncDirectory(path)),
    async writeSynced(path, bytes) {
      if (!fails()) return real.writeSynced(path, bytes);
      if (changes === faults.at) await writeFile(path, bytes.subarray(0, bytes.length / 2)).catch(() => undefined);
      return fail();
    },
  };
  return { files, changes: () => changes };
}

/** One delivery's writes; `done` counts those that returned. */
async function deliver(open: () => Promise<Attempt>, done: (name: string) => void): Promise<void> {
  const attempt = await open();
  try {
    done("open");
    await attempt.save("clone", { value: "new" });
    done("save");
    await attempt.recordIntent({ branch: "trueup/0123456789ab", digest });
    done("intent");
    await attempt.writeArtifact("facts.json", "new");
    done("artifact");
  } finally {
    // A release that failed may be asked for again; a stopped process never comes to it.
    await attempt.close().catch(() => attempt.close());
  }
}

/** What a later process finds. */
async function lookAgain(state: string) {
  const attempt = await createAttemptStore({ state, clock, ids }).open({ taskKey, newAttempt: false });
  const facts = await attempt.readArtifact("facts.json");
  const found = {
    clone: (attempt.checkpoint("clone") as { value: string } | null)?.value ?? null,
    intents: attempt.intents.length,
    facts: facts === null ? null : new TextDecoder().decode(facts),
  };
  await attempt.close();
  return found;
}

async function prepare(state: string): Promise<void> {
  const attempt = await createAttemptStore({ state, clock, ids }).open({ taskKey, newAttempt: false });
  await attempt.save("clone", { value: "old" });
  await attempt.writeArtifact("facts.json", "old");
  await attempt.close();
}

/** Fails the n-th operation for every n until a delivery goes through; returns how many were tried. */
async function failEach(root: string, faults: Omit<Faults, "at">, base: "fresh" | "old"): Promise<number> {
  const gone = { ...(await readOwnIdentity()), started: "1" };
  for (let at = 1; ; at += 1) {
    const state = join(root, `${faults.kind}-${base}-${at}`, "state");
    if (base === "old") await prepare(state);
    const { files, changes } = createFaultyFiles({ ...faults, at });
    const identity = faults.kind === "stop" ? { identity: () => Promise.resolve(gone) } : {};
    const store = createAttemptStore({ state, clock, ids, files, ...identity });
    const done = new Set<string>();
    const failure: unknown = await deliver(
      () => store.open({ taskKey, newAttempt: false }),
      (name) => done.add(name),
    ).then(
      () => null,
      (error: unknown) => error,
    );
    const before = base === "old" ? "old" : null;
    const found = await lookAgain(state);
    expect([before, "new"], `operation ${at}`).toContain(found.clone);
    expect([before, "new"], `operation ${at}`).toContain(found.facts);
    if (done.has("save")) expect(found.clone, `operation ${at}`).toBe("new");
    if (done.has("intent")) expect(found.intents, `operation ${at}`).toBe(1);
    if (done.has("artifact")) expect(found.facts, `operation ${at}`).toBe("new");
    if (changes() < at) return at - 1;
    if (failure !== null)
      expect(failure, `operation ${at}`).toMatchObject({
        code: faults.errno === "ENOSPC" ? "disk-full" : "state-unwritable",
      });
  }
}

describe("[G9] the store, stopped before every operation", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "trueup-faults-"));
  });
  afterAll(() => rm(root, { recursive: true }));

  test.each([
    { kind: "stop", errno: "EIO", base: "fresh" },
    { kind: "stop", errno: "EIO", base: "old" },
    { kind: "once", errno: "ENOSPC", base: "fresh" },
    { kind: "once", errno: "ENOSPC", base: "old" },
  ] as const)(
    "a later run sees the old or the new state and never a part: $errno, $kind, $base",
    async ({ kind, errno, base }) => {
      expect(await failEach(root, { kind, errno }, base)).toBeGreaterThan(15);
    },
  );
});
