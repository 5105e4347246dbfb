import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Forge, PullRequest } from "../../src/ports/index.ts";

/** One repository on a forge; `open` twice stands for two processes. */
export interface ForgeSubject {
  open(): Forge;
  /** What a person or a bot does, by the forge's own means. */
  decide(
    number: number,
    decision: "close" | "merge" | "reopen",
    by: { kind: "person" | "bot" | "vanished"; name: string },
    comment?: string,
  ): Promise<void>;
  /** Makes the forge unable to answer. */
  breakDown(): Promise<void>;
  dispose(): Promise<void>;
}

type OpenSubject = Omit<ForgeSubject, "dispose">;

const request = {
  head_branch: "trueup/0123456789ab",
  base_branch: "main",
  title: "Fix it",
  body: "Acceptance: 6/6\n\u00e9 <script> @all",
};
const ada = { kind: "person", name: "ada" } as const;

function testOpening(subject: OpenSubject): void {
  test("an opened pull request is listed as it was asked for, by our account", async () => {
    const forge = subject.open();
    expect(await forge.listPullRequests("")).toEqual([]);
    const opened = await forge.openPullRequest(request);
    expect(opened).toMatchObject({ ...request, number: 1, state: "open", closed_by: null, author: forge.account });
    expect(await subject.open().listPullRequests("trueup/")).toEqual([opened]);
  });

  test("the listing keeps to the prefix and holds every state", async () => {
    const forge = subject.open();
    for (const branch of ["trueup/a", "trueup/b", "trueup/c", "feature/trueup/d", "trueupish"]) {
      await forge.openPullRequest({ ...request, head_branch: branch });
    }
    await subject.decide(2, "merge", ada);
    await subject.decide(3, "close", ada);
    const listed = await forge.listPullRequests("trueup/");
    expect(listed.map(({ head_branch, state }) => [head_branch, state])).toEqual([
      ["trueup/a", "open"],
      ["trueup/b", "merged"],
      ["trueup/c", "closed"],
    ]);
  });

  test("[G3] a second pull request for a branch with an open one is refused", async () => {
    await subject.open().openPullRequest(request);
    await expect(subject.open().openPullRequest(request)).rejects.toMatchObject({
      code: "forge-failed",
      detail: expect.stringContaining("already open") as string,
    });
    expect(await subject.open().listPullRequests("")).toHaveLength(1);
  });

  test("[G7] eight processes that open one branch at once leave one pull request", async () => {
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => subject.open().openPullRequest(request)));
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await subject.open().listPullRequests("")).toHaveLength(1);
  });

  test("[G7] eight processes that open eight branches at once never share a number", async () => {
    const branches = Array.from({ length: 8 }, (_, index) => `trueup/${index}`);
    const opened = await Promise.all(
      branches.map((head_branch) => subject.open().openPullRequest({ ...request, head_branch })),
    );
    expect(opened.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const listed = await subject.open().listPullRequests("");
    expect(new Set(listed.map(({ head_branch }) => head_branch))).toEqual(new Set(branches));
  });
}

function testDecisions(subject: OpenSubject): void {
  const closings: { by: NonNullable<PullRequest["closed_by"]>["kind"]; comment: string | null }[] = [
    { by: "person", comment: "Not the way we want it" },
    { by: "person", comment: null },
    { by: "bot", comment: "stale" },
    { by: "vanished", comment: null },
  ];
  test.each(closings)("[G4] who closed it is told: $by, with $comment", async ({ by, comment }) => {
    await subject.open().openPullRequest(request);
    await subject.decide(1, "close", { kind: by, name: "somebody" }, comment ?? undefined);
    const [listed] = await subject.open().listPullRequests("");
    expect(listed).toMatchObject({ state: "closed", closed_by: { kind: by, name: "somebody", comment } });
  });

  test("a branch whose pull request was closed may have another, and the first one stays", async () => {
    await subject.open().openPullRequest(request);
    await subject.decide(1, "close", ada);
    expect(await subject.open().openPullRequest(request)).toMatchObject({ number: 2 });
    expect((await subject.open().listPullRequests("")).map(({ state }) => state)).toEqual(["closed", "open"]);
  });

  test("a reopened pull request is open again and nobody closed it", async () => {
    await subject.open().openPullRequest(request);
    await subject.decide(1, "close", ada);
    await subject.decide(1, "reopen", ada);
    expect(await subject.open().listPullRequests("")).toMatchObject([{ state: "open", closed_by: null }]);
  });

  test("[G4] a forge that cannot answer is an error and never an empty list", async () => {
    await subject.open().openPullRequest(request);
    await subject.breakDown();
    await expect(subject.open().listPullRequests("trueup/")).rejects.toMatchObject({ code: "forge-failed" });
    await expect(subject.open().openPullRequest({ ...request, head_branch: "trueup/other" })).rejects.toMatchObject({
      code: "forge-failed",
    });
  });

  test("[G11] there is no way to close, delete or force through the port", () => {
    const offered = Object.keys(subject.open()).filter((key) => !["breakDown", "change"].includes(key));
    expect(offered.toSorted()).toEqual(["account", "listPullRequests", "name", "openPullRequest"]);
  });
}

/** What every forge adapter must do. */
export function describeForgeContract(name: string, create: () => Promise<ForgeSubject>): void {
  describe(`forge: ${name}`, () => {
    let current: ForgeSubject;
    beforeEach(async () => {
      current = await create();
    });
    afterEach(() => current.dispose());
    const subject: OpenSubject = {
      open: () => current.open(),
      decide: (...args) => current.decide(...args),
      breakDown: () => current.breakDown(),
    };
    testOpening(subject);
    testDecisions(subject);
  });
}
