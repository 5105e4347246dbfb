import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createUuidIds } from "../../src/adapters/machine/node/uuid-ids.ts";
import { createAttemptStore } from "../../src/adapters/store/files/attempt-store.ts";
import { readOwnIdentity, type ProcessIdentity } from "../../src/adapters/store/files/process-identity.ts";
import { sha256 } from "../../src/core/digest.ts";
import type { AttemptStore } from "../../src/ports/index.ts";
import { createFakeClock } from "../fakes/fake-clock.ts";
import { describeStoreContract } from "./store-contract.ts";

const clock = createFakeClock();
const ids = createUuidIds(clock);
const taskKey = sha256("task");

function openStore(state: string, identity?: ProcessIdentity): AttemptStore {
  return createAttemptStore({
    state,
    clock,
    ids,
    ...(identity === undefined ? {} : { identity: () => Promise.resolve(identity) }),
  });
}

/** The pid of a process that has ended and was reaped. */
function endedPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

describeStoreContract("files", async () => {
  const root = await mkdtemp(join(tmpdir(), "trueup-store-"));
  return { open: () => openStore(join(root, "state")), dispose: () => rm(root, { recursive: true }) };
});

describe("attempt store: files on this machine", () => {
  let root: string;
  let state: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "trueup-store-"));
    state = join(root, "state");
  });
  afterEach(() => rm(root, { recursive: true }));

  const openTask = (store = openStore(state)) => store.open({ taskKey, newAttempt: false });

  test("directories are for their owner alone, whatever the umask", async () => {
    const before = process.umask(0o000);
    try {
      const attempt = await openTask();
      await attempt.writeArtifact("reports/a.json", "{}");
      await attempt.close();
      for (const path of [
        state,
        join(state, "attempts"),
        attempt.directory,
        attempt.outDirectory,
        join(attempt.outDirectory, "reports"),
      ]) {
        expect([path, (await stat(path)).mode & 0o777]).toEqual([path, 0o700]);
      }
      expect((await stat(join(attempt.directory, "attempt.json"))).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test.each([0o755, 0o710, 0o701, 0o777])("a state directory with mode %o is refused", async (mode) => {
    await mkdir(state);
    await chmod(state, mode);
    await expect(openTask()).rejects.toMatchObject({ code: "state-insecure", subject: state });
  });

  test("an attempt's directory that others may enter is refused", async () => {
    const attempt = await openTask();
    await attempt.close();
    await chmod(attempt.directory, 0o750);
    await expect(openTask()).rejects.toMatchObject({ code: "state-insecure", subject: attempt.directory });
  });

  test("a file in the state directory's place is an account, not a crash", async () => {
    await writeFile(state, "");
    await expect(openTask()).rejects.toMatchObject({ code: "state-unwritable", subject: state });
  });

  test.each([
    ["cut", '{"version":1,"id'],
    ["empty", ""],
    ["of a later version", '{"version":2}'],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    [
      "of another attempt",
      JSON.stringify({
        version: 1,
        id: "018bcfe5-6800-7000-8000-000000000000",
        task_key: taskKey,
        created_at: 1,
        steps: {},
        intents: [],
      }),
    ],
  ])("a record that is %s stops the task, and only a new attempt goes on", async (_name, content) => {
    const attempt = await openTask();
    await attempt.close();
    await writeFile(join(attempt.directory, "attempt.json"), content);
    await expect(openTask()).rejects.toMatchObject({ code: "attempt-damaged", subject: attempt.directory });
    expect(await openStore(state).findAttempts()).toEqual([
      { state: "damaged", id: attempt.id, directory: attempt.directory },
    ]);
    const unrelated = await openStore(state).open({ taskKey: sha256("unrelated"), newAttempt: false });
    await unrelated.close();
    const fresh = await openStore(state).open({ taskKey, newAttempt: true });
    expect(fresh.unreadableAttempts).toEqual([attempt.directory]);
    await fresh.close();
  });

  test("a record with a key nobody knows, or a null result, is damaged", async () => {
    const attempt = await openTask();
    await attempt.close();
    const path = join(attempt.directory, "attempt.json");
    const record = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    for (const extra of [
      { passed: true },
      { steps: { verify: { at: 1, data: null } } },
      { steps: { done: { at: 1, data: 1 } } },
    ]) {
      await writeFile(path, JSON.stringify({ ...record, ...extra }));
      await expect(openTask()).rejects.toMatchObject({ code: "attempt-damaged" });
    }
  });

  test("the lock of a process that ended is taken over, by exactly one of many", async () => {
    const gone: ProcessIdentity = { ...(await readOwnIdentity()), pid: endedPid(), started: "12345" };
    const abandoned = await openTask(openStore(state, gone));
    await abandoned.save("clone", { base: "abc" });
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => openTask()));
    const won = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(won).toHaveLength(1);
    expect(won[0]?.checkpoint("clone")).toEqual({ base: "abc" });
    await won[0]?.close();
  });

  const elsewhere: { name: string; change: Partial<ProcessIdentity>; outcome: "taken" | "locked" }[] = [
    { name: "a living process", change: {}, outcome: "locked" },
    { name: "a living pid that now belongs to another process", change: { started: "1" }, outcome: "taken" },
    {
      name: "a living pid from before the last boot",
      change: { boot: "00000000-0000-0000-0000-000000000000" },
      outcome: "taken",
    },
    { name: "a process on another machine", change: { host: "another.example" }, outcome: "locked" },
    { name: "a process in another container", change: { namespace: "pid:[1]" }, outcome: "locked" },
    { name: "a process whose start is not known, alive", change: { started: null }, outcome: "locked" },
  ];
  test.each(elsewhere)("the lock of $name is $outcome", async ({ change, outcome }) => {
    await openTask(openStore(state, { ...(await readOwnIdentity()), ...change }));
    const second = await openTask().then(
      (attempt) => attempt.close().then(() => "taken"),
      (error: unknown) => (error as { code?: string }).code,
    );
    expect(second).toBe(outcome === "taken" ? "taken" : "attempt-locked");
  });

  test("a lock that cannot be read is never taken for free", async () => {
    await openTask();
    await writeFile(join(state, "attempts/.tasks", taskKey.slice(7), "locks/1.json"), "{");
    await expect(openTask()).rejects.toMatchObject({
      code: "attempt-damaged",
      hint: expect.stringContaining("1.json") as string,
    });
  });
});
