import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../src/core/digest.ts";
import type { AttemptStore } from "../../src/ports/index.ts";

/** A store over one lasting place; `open` twice stands for two processes one after the other. */
export interface StoreSubject {
  open(): AttemptStore;
  dispose(): Promise<void>;
}

type OpenSubject = Pick<StoreSubject, "open">;

const taskKey = sha256("task one");
const other = sha256("task two");
const digest = sha256("a change");

function testCheckpoints(subject: OpenSubject): void {
  test("[G7] the same task again finds its attempt with every checkpoint", async () => {
    const first = await subject.open().open({ taskKey, newAttempt: false });
    await first.save("clone", { base: "abc", list: [1, "zwei", null] });
    await first.save("agent", { claim: "two tests, all pass \u0000 \ud83d\ude00" });
    await first.close();
    const again = await subject.open().open({ taskKey, newAttempt: false });
    expect([first.resumed, again.resumed]).toEqual([false, true]);
    expect(again).toMatchObject({ id: first.id, createdAt: first.createdAt, taskKey });
    expect(again.checkpoint("clone")).toEqual({ base: "abc", list: [1, "zwei", null] });
    expect(again.checkpoint("agent")).toEqual({ claim: "two tests, all pass \u0000 \ud83d\ude00" });
    expect(again.checkpoint("verify")).toBeNull();
    await again.close();
  });

  test("a new attempt starts without checkpoints, and is the one that the next run finds", async () => {
    const first = await subject.open().open({ taskKey, newAttempt: false });
    await first.save("admit", true);
    await first.close();
    const second = await subject.open().open({ taskKey, newAttempt: true });
    expect(second.id).not.toBe(first.id);
    expect(second.checkpoint("admit")).toBeNull();
    await second.close();
    const third = await subject.open().open({ taskKey, newAttempt: false });
    expect(third.id).toBe(second.id);
    await third.close();
  });

  test("another task shares neither attempt nor lock", async () => {
    const mine = await subject.open().open({ taskKey, newAttempt: false });
    await mine.save("admit", { mine: true });
    const theirs = await subject.open().open({ taskKey: other, newAttempt: false });
    expect(theirs.id).not.toBe(mine.id);
    expect(theirs.checkpoint("admit")).toBeNull();
    await Promise.all([mine.close(), theirs.close()]);
  });

  test("clearing a step forgets it and all later ones, and nothing before", async () => {
    const attempt = await subject.open().open({ taskKey, newAttempt: false });
    for (const step of ["clone", "agent", "capture", "verify"] as const) await attempt.save(step, { step });
    await attempt.clear("agent");
    await attempt.close();
    const again = await subject.open().open({ taskKey, newAttempt: false });
    expect(["clone", "agent", "capture", "verify"].map((step) => again.checkpoint(step as "clone"))).toEqual([
      { step: "clone" },
      null,
      null,
      null,
    ]);
    await again.close();
  });
}

function testIntentsAndLocks(subject: OpenSubject): void {
  test("[G9] an intent is stored once, and a new attempt of the task still knows it", async () => {
    const first = await subject.open().open({ taskKey, newAttempt: false });
    await first.recordIntent({ branch: "trueup/0123456789ab", digest });
    await first.recordIntent({ branch: "trueup/0123456789ab", digest });
    await first.close();
    const second = await subject.open().open({ taskKey, newAttempt: true });
    expect(second.intents).toMatchObject([{ branch: "trueup/0123456789ab", digest, attempt: first.id }]);
    await second.recordIntent({ branch: "trueup/ffff", digest });
    expect(second.intents.map(({ branch }) => branch)).toEqual(["trueup/0123456789ab", "trueup/ffff"]);
    await second.close();
  });

  test("two deliveries of one task at once: one works, the other is told who", async () => {
    const requests = [1, 2, 3, 4].map(() => subject.open().open({ taskKey, newAttempt: false }));
    const settled = await Promise.allSettled(requests);
    const won = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const lost = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(won).toHaveLength(1);
    for (const reason of lost)
      expect(reason).toMatchObject({
        code: "attempt-locked",
        message: expect.stringContaining(String(process.pid)) as string,
      });
    await won[0]?.close();
    const next = await subject.open().open({ taskKey, newAttempt: true });
    await next.close();
  });

  test("the listing names every attempt, its steps and who holds it", async () => {
    const attempt = await subject.open().open({ taskKey, newAttempt: false });
    await attempt.save("clone", 1);
    await attempt.save("admit", 1);
    const line = { state: "readable", id: attempt.id, taskKey, steps: ["admit", "clone"] };
    expect(await subject.open().findAttempts()).toMatchObject([{ ...line, heldBy: process.pid }]);
    await attempt.close();
    expect(await subject.open().findAttempts()).toMatchObject([{ ...line, heldBy: null }]);
  });
}

function testArtifacts(subject: OpenSubject): void {
  test("artifacts come back byte for byte, are replaced whole, and absent ones are null", async () => {
    const attempt = await subject.open().open({ taskKey, newAttempt: false });
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    await attempt.writeArtifact("diff.patch", bytes);
    await attempt.writeArtifact("reports/head-0.json", "{}");
    await attempt.writeArtifact("reports/head-0.json", '{"a":"\u00e9"}');
    expect(Buffer.from((await attempt.readArtifact("diff.patch")) ?? []).equals(bytes)).toBe(true);
    expect(new TextDecoder().decode((await attempt.readArtifact("reports/head-0.json")) ?? undefined)).toBe(
      '{"a":"\u00e9"}',
    );
    expect(await attempt.readArtifact("verdict.json")).toBeNull();
    await attempt.close();
  });

  test.each(["../attempt.json", "/etc/passwd", "a/../../b", "", ".hidden", "a//b", "a/./b", "a\0b"])(
    "an artifact named %j is refused: it would leave the directory",
    async (artifact) => {
      const attempt = await subject.open().open({ taskKey, newAttempt: false });
      await expect(attempt.writeArtifact(artifact, "x")).rejects.toThrow(TypeError);
      await expect(attempt.readArtifact(artifact)).rejects.toThrow(TypeError);
      await attempt.close();
    },
  );

  test.each([[null], [undefined], [{ n: Number.NaN }], [() => 1]])(
    "a result that JSON would lose is refused: %s",
    async (data) => {
      const attempt = await subject.open().open({ taskKey, newAttempt: false });
      await expect(attempt.save("admit", data)).rejects.toThrow(TypeError);
      expect(attempt.checkpoint("admit")).toBeNull();
      await attempt.close();
    },
  );

  test("writes asked for at once are all there", async () => {
    const attempt = await subject.open().open({ taskKey, newAttempt: false });
    await Promise.all([
      attempt.save("admit", 1),
      attempt.save("lease", 2),
      attempt.recordIntent({ branch: "b", digest }),
      attempt.writeArtifact("a.txt", "a"),
      attempt.save("clone", 3),
    ]);
    await attempt.close();
    const again = await subject.open().open({ taskKey, newAttempt: false });
    expect([
      again.checkpoint("admit"),
      again.checkpoint("lease"),
      again.checkpoint("clone"),
      again.intents.length,
    ]).toEqual([1, 2, 3, 1]);
    await again.close();
  });
}

/** What every attempt store must do. */
export function describeStoreContract(name: string, create: () => Promise<StoreSubject>): void {
  describe(`attempt store: ${name}`, () => {
    let current: StoreSubject;
    beforeEach(async () => {
      current = await create();
    });
    afterEach(() => current.dispose());
    const subject = { open: () => current.open() };
    testCheckpoints(subject);
    testIntentsAndLocks(subject);
    testArtifacts(subject);
  });
}
