import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ForgeReader } from "../../src/ports/index.ts";
import type { ForgeWorld, WorldText } from "../fakes/forge-world.ts";

/** One forge, filled with a world. */
export interface ForgeReaderSubject {
  open(world: ForgeWorld): ForgeReader;
  dispose(): Promise<void>;
}

const opened = "2026-03-01T12:00:00Z";
const before = (text: string, by = "ada"): WorldText => ({ at: "2026-02-01T12:00:00Z", by, text });
const after = (text: string, by = "ada"): WorldText => ({ at: "2026-03-02T12:00:00Z", by, text });
const world: ForgeWorld = {
  repository: "acme/slug",
  accounts: [
    { name: "ada", kind: "person", permission: "write" },
    { name: "eve", kind: "person", permission: "less" },
    { name: "quiet", kind: "person", permission: "unknown" },
  ],
  issues: [
    { number: 1, texts: [before("one")] },
    { number: 2, texts: [before("two"), after("two, mended", "eve")] },
    { number: 3, texts: [before("first"), { ...before("second", "eve"), at: "2026-02-10T00:00:00Z" }] },
    { number: 4, texts: [after("written later")], done: true },
  ],
  pulls: [
    { number: 10, texts: [{ at: opened, by: "ada", text: "closes #1, closes #2, closes #3, closes #4, closes #99" }] },
    { number: 11, texts: [{ at: opened, by: "ada", text: "closes #1" }, after("closes #2")] },
    { number: 12, texts: [{ at: opened, by: "ada", text: "no word of it" }] },
  ],
};
const pull = (number: number) => ({ number, opened_at: opened });

/** What every reader of a forge must do. */
export function describeForgeReaderContract(name: string, create: () => Promise<ForgeReaderSubject>): void {
  describe(`forge reader: ${name}`, () => {
    let subject: ForgeReaderSubject;
    beforeEach(async () => {
      subject = await create();
    });
    afterEach(() => subject.dispose());

    test("every closed issue is told with its text now and then; a number that is no issue is none", async () => {
      const issues = await subject.open(world).readClosedIssues(pull(10));
      expect(issues.map((one) => [one.number, one.body, one.body_at_opening])).toEqual([
        [1, "one", "one"],
        [2, "two, mended", "two"],
        [3, "second", "second"],
        [4, "written later", ""],
      ]);
      for (const one of issues) expect(one).toMatchObject({ closed_now: true, closed_at_opening: "yes" });
      expect(issues.map((one) => one.open)).toEqual([true, true, true, false]);
    });

    test("[D11] author and last editor are told with what they may do", async () => {
      const issues = await subject.open(world).readClosedIssues(pull(10));
      const ada = { name: "ada", kind: "person", permission: "write" };
      const eve = { name: "eve", kind: "person", permission: "less" };
      expect(issues.map((one) => [one.author, one.last_editor])).toEqual([
        [ada, null],
        [ada, eve],
        [ada, eve],
        [ada, null],
      ]);
    });

    test("[D11] an issue that the pull request no longer closes is told too", async () => {
      const issues = await subject.open(world).readClosedIssues(pull(11));
      expect(issues.map((one) => [one.number, one.closed_now, one.closed_at_opening])).toEqual([
        [1, false, "yes"],
        [2, true, "no"],
      ]);
    });

    test("a pull request that closes nothing has none", async () => {
      expect(await subject.open(world).readClosedIssues(pull(12))).toEqual([]);
    });

    test("[D11] what the forge has forgotten is not known, and is never what stands there now", async () => {
      const reader = subject.open({ ...world, fault: "forgetful" });
      const [one] = await reader.readClosedIssues(pull(11));
      expect(one).toMatchObject({ number: 2, closed_at_opening: "unknown", body_at_opening: null });
    });

    test.each([
      ["ada", "person", "write"],
      ["eve", "person", "less"],
      ["quiet", "person", "unknown"],
    ])("the account %s is a %s that may: %s", async (account, kind, permission) => {
      expect(await subject.open(world).readAccount(account)).toEqual({ name: account, kind, permission });
    });

    test.each(["unreachable", "garbled"] as const)(
      "[G3] a forge that is %s is an error and never no issue",
      async (fault) => {
        const reader = subject.open({ ...world, fault });
        await expect(reader.readClosedIssues(pull(10))).rejects.toMatchObject({ code: "forge-failed" });
        await expect(reader.readAccount("ada")).rejects.toMatchObject({ code: "forge-failed" });
      },
    );

    test("[H14] there is no way to write through the port", () => {
      expect(Object.keys(subject.open(world)).toSorted()).toEqual(["name", "readAccount", "readClosedIssues"]);
    });
  });
}
