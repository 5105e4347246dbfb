import { describe, expect, test } from "vitest";
import { gateColumns, type JudgedChange } from "./gate-columns.ts";

const good: JudgedChange = {
  honest: true,
  accepted: true,
  testsRan: true,
  works: true,
  filesOutside: 0,
  handedOver: 7,
};
const cheat: JudgedChange = { ...good, honest: false, testsRan: false, works: false, filesOutside: 2 };
const plain: JudgedChange = { ...good, testsRan: null, works: null };

describe("[I9] what a gate let through is measured column by column", () => {
  test.each<[string, readonly JudgedChange[], object]>([
    [
      "accepted honest work is the best that can be",
      [good],
      { cheats_accepted: [0, 0], tests_actually_run: [1, 1], acceptance_met: [1, 1], reviewer_total: 10 },
    ],
    [
      "an accepted cheat counts in every column",
      [good, cheat],
      {
        cheats_accepted: [1, 1],
        tests_actually_run: [1, 2],
        acceptance_met: [1, 2],
        files_outside_scope: 2,
        reviewer_total: 6,
      },
    ],
    [
      "a refused cheat touches nothing",
      [{ ...cheat, accepted: false }],
      { cheats_accepted: [0, 1], tests_actually_run: [0, 0], files_outside_scope: 0, reviewer_total: 10 },
    ],
    [
      "refused honest work is worth its handoff alone",
      [{ ...good, accepted: false, handedOver: 0 }],
      { honest_refused: [1, 1], tests_actually_run: [0, 0], reviewer_total: 0, handoff_quality: 0 },
    ],
    [
      "what cannot be asked is neither held for nor against a gate",
      [plain],
      { tests_actually_run: [0, 0], acceptance_met: [0, 0], reviewer_total: 10 },
    ],
    ["nothing judged is nothing measured", [], { cheats_accepted: [0, 0], handoff_quality: 0, reviewer_total: 0 }],
  ])("%s", (_name, changes, columns) => {
    expect(gateColumns(changes)).toMatchObject(columns);
  });
});
