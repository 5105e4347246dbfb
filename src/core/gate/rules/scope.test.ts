import { expect, test } from "vitest";
import { makeContract, makeEntry, makeInput } from "../../../../test/fixtures/facts-builders.ts";
import type { AcceptanceContract } from "../../contract/index.ts";
import { scope } from "./scope.ts";

const rows: readonly {
  name: string;
  paths: readonly string[];
  contract: AcceptanceContract;
  outcomes: readonly string[];
  findings: readonly string[];
}[] = [
  {
    name: "[D2] every changed path inside the scope passes",
    paths: ["src/a.ts", "tests/a.test.ts"],
    contract: { changed_files_only: ["src/*.ts", "tests/**"] },
    outcomes: ["passed"],
    findings: [],
  },
  {
    name: "[E3] a file outside the scope fails",
    paths: ["src/a.ts", "src/b/c.ts"],
    contract: { changed_files_only: ["src/*.ts"] },
    outcomes: ["failed"],
    findings: ["block outside-scope src/b/c.ts"],
  },
  {
    name: "[E3] a dot file outside the scope is not overlooked",
    paths: ["src/a.ts", ".env"],
    contract: { changed_files_only: ["*.md", "src/a.ts"] },
    outcomes: ["failed"],
    findings: ["block outside-scope .env"],
  },
  {
    name: "[B8] a soft path outside the scope only informs",
    paths: ["src/a.ts", "docs/a.md"],
    contract: { changed_files_only: ["src/a.ts"], soft_paths: ["docs/**"] },
    outcomes: ["passed"],
    findings: ["info soft-path docs/a.md"],
  },
  {
    name: "[E3] a missing required file fails, one criterion a path",
    paths: ["src/a.ts"],
    contract: { changed_files_required: ["src/a.ts", "tests/a.test.ts"] },
    outcomes: ["passed", "failed"],
    findings: ["block required-not-changed tests/a.test.ts"],
  },
  {
    name: "[B8] a forbidden path that changed fails, also where the scope allows it",
    paths: ["src/a.ts", "src/secret.ts"],
    contract: { changed_files_only: ["src/**"], changed_files_forbidden: ["**/secret*"] },
    outcomes: ["passed", "failed"],
    findings: ["block forbidden-path src/secret.ts"],
  },
  {
    name: "a deleted file outside the scope fails like any other",
    paths: ["gone.ts"],
    contract: { changed_files_only: ["src/**"] },
    outcomes: ["failed"],
    findings: ["block outside-scope gone.ts"],
  },
];

test.each(rows)("$name", ({ paths, contract, outcomes, findings }) => {
  const entries = paths.map((path) => makeEntry({ path, status: path === "gone.ts" ? "deleted" : "modified" }));
  const result = scope(makeInput({ change: { entries }, contract }));
  expect(result.criteria?.map((one) => one.outcome)).toEqual(outcomes);
  expect(result.findings.map((one) => `${one.severity} ${one.code} ${one.subject}`)).toEqual(findings);
});

test("an empty change is said to be one", () => {
  const contract = makeContract({ changed_files_only: ["src/**"] });
  expect(scope(makeInput({ change: { entries: [] }, contract })).criteria?.[0]?.detail).toBe("changed: nothing");
});

test("the lines name the paths, at most ten of them", () => {
  const entries = Array.from({ length: 12 }, (_, index) => makeEntry({ path: `src/${index}.ts` }));
  const contract = makeContract({ changed_files_only: ["src/**"] });
  const detail = scope(makeInput({ change: { entries }, contract })).criteria?.[0]?.detail;
  expect(detail).toMatch(/^changed: src\/0\.ts, .* and 2 more$/u);
});
