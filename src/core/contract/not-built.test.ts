import { describe, expect, it } from "vitest";
import { notBuiltKeys } from "./not-built.ts";
import type { AcceptanceContract, TestsEntry } from "./schema.ts";

const entry = (more: Partial<TestsEntry>): AcceptanceContract => ({
  tests: [{ command: "npx vitest run a", passed: 1, ...more }],
});

const cases: readonly [key: string, contract: AcceptanceContract][] = [
  ["needs", { needs: ["proc", "browser"] }],
  ["needs", { needs: ["network:registry"] }],
  ["coverage", { coverage: { floor: 1 } }],
  ["approvals", { approvals: ["a"] }],
  ["budget.violations", { budget: { violations: 0 } }],
  ["network", { network: ["example.org"] }],
  ["tests[0].command", entry({ command: "npx mocha a" })],
];

const built: readonly AcceptanceContract[] = [
  entry({
    names: ["a"],
    added: 1,
    keep_base: true,
    red_on_base: "auto",
    cwd: "a",
    env: { TZ: "UTC" },
    timeout_seconds: 1,
  }),
  entry({ red_on_base: "none" }),
  entry({ red_on_base: "all", may_update: ["a"] }),
  { held_out_tests: [{ path: "a", sha256: "0".repeat(64), command: "vitest", passed: 1 }] },
  entry({ retired: ["a"] }),
  { projects: [{ root: ".", lockfile: "package-lock.json", commands: [{ command: "make" }] }] },
  { needs: ["proc"], services: [{ name: "a", command: "b", ready: "c" }] },
  { generated: [{ paths: ["a"], command: "b", cwd: "c", timeout_seconds: 1 }] },
  entry({ command: "npm test" }),
  { network: "none", budget: { minutes: 1 }, rollback_plan: "revert", soft_paths: ["docs/**"], uncounted: ["a"] },
  {
    changed_files_only: ["a"],
    commands: [{ command: "make" }],
    prepare: [{ command: "make" }],
    baseline: "green",
    intent: "docs",
  },
];

describe("notBuiltKeys", () => {
  it.each(cases)("%s is named, never skipped", (key, contract) => {
    expect(notBuiltKeys(contract).map((each) => each.key)).toEqual([key]);
  });

  it.each(built)("names nothing that is evaluated: %j", (contract) => {
    expect(notBuiltKeys(contract)).toEqual([]);
  });
});
