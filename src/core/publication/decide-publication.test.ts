import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256 } from "../digest.ts";
import { branchName } from "./branch-name.ts";
import { decidePublication, type PublicationDecision } from "./decide-publication.ts";
import { createMarker, type Marker } from "./marker.ts";
import type { BranchState, PublicationSnapshot, SeenPullRequest } from "./snapshot.ts";

const digest = sha256("this change");
const key = sha256("this edit");
const other = sha256("another");
const branch = branchName("trueup", digest);
const us = "trueup-bot";

const carrying = (overrides: Partial<Marker> = {}): Marker => ({
  ...createMarker({ task: "task-1", contract: null, digest, key }),
  ...overrides,
});
const otherChange = carrying({ digests: [other], keys: [other] });

function pull(overrides: Partial<SeenPullRequest> = {}): SeenPullRequest {
  return {
    number: 7,
    url: "https://forge.example/o/r/pull/7",
    head_branch: branch,
    state: "open",
    author: us,
    marker: carrying(),
    closed_by: null,
    still_in_base: null,
    person_commits: false,
    ...overrides,
  };
}

function snapshot(overrides: Partial<PublicationSnapshot> = {}): PublicationSnapshot {
  return {
    task: "task-1",
    change_digest: digest,
    same_edit_key: key,
    branch,
    account: us,
    branch_state: { kind: "absent" },
    intent_recorded: false,
    pull_requests: [],
    authority: "other",
    retry: false,
    reopen: false,
    ...overrides,
  };
}

const ourBranch: BranchState = { kind: "present", commit: "c".repeat(40), ours: true, person_commits: false };
const theirBranch: BranchState = { ...ourBranch, ours: false };
const touchedBranch: BranchState = { ...ourBranch, person_commits: true };
const person = { kind: "person", name: "ada", comment: "not like this" } as const;
const closed = (by: SeenPullRequest["closed_by"], more: Partial<SeenPullRequest> = {}) =>
  pull({ state: "closed", closed_by: by, ...more });
const merged = (stillInBase: boolean | null, more: Partial<SeenPullRequest> = {}) =>
  pull({ state: "merged", still_in_base: stillInBase, ...more });

const rows: readonly (readonly [string, Partial<PublicationSnapshot>, Partial<PublicationDecision>])[] = [
  [
    "[G3] a forge that does not answer is undetermined, never none found",
    { pull_requests: "error" },
    { decision: "undetermined" },
  ],
  [
    "a branch that cannot be read is undetermined, never absent",
    { branch_state: { kind: "unknown", reason: "timeout" } },
    { decision: "undetermined" },
  ],
  [
    "a closed pull request whose closer is not known is undetermined",
    { pull_requests: [closed(null)] },
    { decision: "undetermined" },
  ],
  [
    "a merged one of which base is not known is undetermined",
    { pull_requests: [merged(null)] },
    { decision: "undetermined" },
  ],

  [
    "our branch name with a foreign commit is squatted, and refused",
    { branch_state: theirBranch },
    { decision: "refuse", row: "squatted" },
  ],
  [
    "a squatted name is refused also beside an open pull request of ours",
    { branch_state: theirBranch, pull_requests: [pull()] },
    { decision: "refuse" },
  ],
  [
    "a squatted name is refused also where our intent is recorded",
    { branch_state: theirBranch, intent_recorded: true },
    { decision: "refuse" },
  ],

  [
    "[G11] a person's commits on top of ours: attach, never push",
    { branch_state: touchedBranch, pull_requests: [pull({ person_commits: true })] },
    { decision: "attach", row: "person-commits" },
  ],
  [
    "[G11] a person's commits on this task's pull request: attach, also on a retry",
    { retry: true, pull_requests: [pull({ head_branch: "trueup/other", marker: otherChange, person_commits: true })] },
    { decision: "attach", row: "person-commits" },
  ],
  [
    "[G11] a person's commits on our branch without a pull request: nothing is opened over them",
    { branch_state: touchedBranch, intent_recorded: true },
    { decision: "attach", row: "person-commits", pull_request: null },
  ],
  [
    "[G11] a person's commits are not opened over after a revert",
    { branch_state: touchedBranch, authority: "operator", pull_requests: [merged(false)] },
    { decision: "attach", row: "person-commits" },
  ],

  [
    "[G3] an open pull request with the same change: attach, no second one",
    { branch_state: ourBranch, pull_requests: [pull()] },
    { decision: "attach", row: "open-same-change" },
  ],
  [
    "[G3] an open pull request with the same edit on a moved base: attach",
    { pull_requests: [pull({ head_branch: "trueup/0", marker: carrying({ digests: [other] }) })] },
    { decision: "attach", row: "open-same-change" },
  ],
  [
    "[G3] an open pull request on our branch whose marker was edited away: attach",
    { branch_state: ourBranch, pull_requests: [pull({ marker: null })] },
    { decision: "attach", row: "open-same-change" },
  ],
  [
    "[G3] an open pull request of another task with the same change: attach",
    { pull_requests: [pull({ marker: carrying({ task: "task-2" }) })] },
    { decision: "attach", row: "open-same-change" },
  ],

  [
    "[G7] this task's open pull request with another change is adopted",
    { pull_requests: [pull({ head_branch: "trueup/0", marker: otherChange })] },
    { decision: "adopt", row: "open-same-task", add_commit: false },
  ],
  [
    "[G7] an explicit retry adds a commit to it",
    { retry: true, pull_requests: [pull({ head_branch: "trueup/0", marker: otherChange })] },
    { decision: "adopt", add_commit: true },
  ],

  [
    "merged and still in base is already merged",
    { pull_requests: [merged(true)] },
    { decision: "already-merged", row: "merged-in-base" },
  ],
  [
    "merged and then reverted is declined",
    { pull_requests: [merged(false)] },
    { decision: "decline", row: "merged-then-reverted" },
  ],
  [
    "merged and then reverted is opened again for an operator",
    { authority: "operator", pull_requests: [merged(false)] },
    { decision: "open", row: "merged-then-reverted" },
  ],
  [
    "a reverted edit is known again on a moved base",
    { pull_requests: [merged(false, { head_branch: "trueup/0", marker: carrying({ digests: [other] }) })] },
    { decision: "decline" },
  ],

  [
    "[G4] closed unmerged by a person: declined, with who and why",
    { pull_requests: [closed(person)] },
    { decision: "decline", row: "closed-by-person", who: "ada", comment: "not like this" },
  ],
  [
    "[G4] closed by a person is a decision also while our branch is still there",
    { branch_state: ourBranch, intent_recorded: true, pull_requests: [closed(person)] },
    { decision: "decline", row: "closed-by-person" },
  ],
  [
    "[G4] the same edit on a moved base is declined too",
    { pull_requests: [closed(person, { head_branch: "trueup/0", marker: carrying({ digests: [other] }) })] },
    { decision: "decline" },
  ],
  [
    "[G4] no retry opens what a reviewer closed",
    { retry: true, authority: "operator", pull_requests: [closed(person)] },
    { decision: "decline" },
  ],
  [
    "[G4] a signed reopen overrides, and links the old one",
    { reopen: true, pull_requests: [closed(person)] },
    { decision: "open", row: "closed-by-person", links: closed(person) },
  ],
  [
    "a person's decision outranks a bot's closing of a later one",
    { pull_requests: [closed(person), closed({ ...person, kind: "bot" }, { number: 9 })] },
    { decision: "decline" },
  ],

  [
    "[G4] closed by a bot is no decision: open, linking the old one",
    { pull_requests: [closed({ ...person, kind: "bot" })] },
    { decision: "open", row: "closed-without-decision" },
  ],
  [
    "[G4] closed because the branch vanished is no decision",
    { pull_requests: [closed({ ...person, kind: "vanished" })] },
    { decision: "open", row: "closed-without-decision" },
  ],

  [
    "[G8] our commit and our intent, never a pull request: our own crash, finish",
    { branch_state: ourBranch, intent_recorded: true },
    { decision: "finish", row: "our-own-crash" },
  ],
  [
    "[G4] our commit, no pull request in any state, no intent: it was taken down, decline",
    { branch_state: ourBranch },
    { decision: "decline", row: "taken-down" },
  ],
  ["nothing found: open", {}, { decision: "open", row: "nothing", links: null }],
  ["an intent whose push never happened: open", { intent_recorded: true }, { decision: "open", row: "nothing" }],
  [
    "another account's pull request with our marker copied decides nothing",
    { pull_requests: [pull({ author: "mallory", head_branch: "trueup/x" })] },
    { decision: "open", row: "nothing" },
  ],
  [
    "another task's pull request with another change decides nothing",
    { pull_requests: [pull({ head_branch: "trueup/0", marker: { ...otherChange, task: "task-2" } })] },
    { decision: "open", row: "nothing" },
  ],
  [
    "a closed attempt of this task with another change decides nothing of this one",
    { pull_requests: [closed(person, { head_branch: "trueup/0", marker: otherChange })] },
    { decision: "open", row: "nothing" },
  ],
];

test.each(rows)("%s", (_name, overrides, decision) => {
  expect(decidePublication(snapshot(overrides))).toMatchObject(decision);
});

describe("over all snapshots", () => {
  const markers = fc.constantFrom(
    null,
    carrying(),
    otherChange,
    carrying({ task: "task-2" }),
    carrying({ digests: [other] }),
  );
  const seen: fc.Arbitrary<SeenPullRequest> = fc.record({
    number: fc.integer({ min: 1, max: 99 }),
    url: fc.constant("https://forge.example/o/r/pull/1"),
    head_branch: fc.constantFrom(branch, "trueup/000000000000"),
    state: fc.constantFrom("open" as const, "merged" as const, "closed" as const),
    author: fc.constantFrom(us, "mallory"),
    marker: markers,
    closed_by: fc.constantFrom(
      null,
      person,
      { ...person, kind: "bot" as const },
      { ...person, kind: "vanished" as const },
    ),
    still_in_base: fc.constantFrom(null, true, false),
    person_commits: fc.boolean(),
  });
  const snapshots: fc.Arbitrary<PublicationSnapshot> = fc
    .record({
      branch_state: fc.constantFrom<BranchState>({ kind: "absent" }, ourBranch, theirBranch, touchedBranch, {
        kind: "unknown",
        reason: "x",
      }),
      intent_recorded: fc.boolean(),
      pull_requests: fc.oneof(
        { weight: 9, arbitrary: fc.uniqueArray(seen, { maxLength: 4, selector: (one) => one.number }) },
        { weight: 1, arbitrary: fc.constant("error" as const) },
      ),
      authority: fc.constantFrom("operator" as const, "other" as const),
      retry: fc.boolean(),
      reopen: fc.boolean(),
    })
    .map(snapshot);

  test("exactly one row matches, whatever the order of the listing", () => {
    const rowsSeen = new Set<string>();
    fc.assert(
      fc.property(snapshots, (one) => {
        const decided = decidePublication(one);
        rowsSeen.add(decided.row);
        if (decided.decision === "undetermined") expect(decided.reason).not.toMatch(/no row/u);
        const turned = one.pull_requests === "error" ? one : { ...one, pull_requests: one.pull_requests.toReversed() };
        expect(decidePublication(turned)).toEqual(decided);
      }),
      { numRuns: 3000, seed: 11 },
    );
    expect(rowsSeen.size).toBe(12);
  });

  test("[G11] nothing is pushed over a foreign or a person's commit", () => {
    fc.assert(
      fc.property(snapshots, (one) => {
        const { decision } = decidePublication(one);
        const { branch_state: state } = one;
        if (state.kind === "present" && (!state.ours || state.person_commits))
          expect(["open", "finish"]).not.toContain(decision);
      }),
      { numRuns: 2000 },
    );
  });

  test("[G3] while an open pull request of ours carries this change, none is opened", () => {
    fc.assert(
      fc.property(snapshots, (one) => {
        const withOpen = {
          ...one,
          pull_requests: [...(one.pull_requests === "error" ? [] : one.pull_requests), pull({ number: 500 })],
        };
        expect(["open", "finish", "decline"]).not.toContain(decidePublication(withOpen).decision);
      }),
      { numRuns: 2000 },
    );
  });
});
