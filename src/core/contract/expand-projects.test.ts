import { describe, expect, test } from "vitest";
import { expandProjects } from "./expand-projects.ts";
import type { AcceptanceContract } from "./schema.ts";

const run = "npx vitest run";
const contract: AcceptanceContract = {
  changed_files_only: ["**"],
  tests: [{ command: run, keep_base: true }],
  projects: [
    { root: "web", lockfile: "web/package-lock.json", tests: [{ command: run, cwd: "./app/", passed: 1 }] },
    { root: "api/", lockfile: "api/package-lock.json", commands: [{ command: "make" }] },
  ],
};
const places = (changed: readonly string[] | null): unknown => {
  const { contract: expanded, unaffected } = expandProjects(contract, changed);
  expect(expanded).not.toHaveProperty("projects");
  return [expanded.tests?.map((one) => one.cwd ?? ""), expanded.commands?.map((one) => one.cwd), unaffected];
};

describe("the projects that a change concerns", () => {
  test.each<[string, readonly string[] | null, unknown]>([
    ["one that it touches", ["web/app/a.ts"], [["", "web/app"], undefined, ["api/"]]],
    ["another one", ["api/main.ts"], [[""], ["api"], ["web"]]],
    ["both", ["api/main.ts", "web/a.ts"], [["", "web/app"], ["api"], []]],
    ["all, when it touches what none of them holds", ["tsconfig.base.json"], [["", "web/app"], ["api"], []]],
    ["all, when one path of many is shared", ["web/a.ts", "package.json"], [["", "web/app"], ["api"], []]],
    ["not one whose name only begins alike", ["web/x.ts", "website/x.ts"], [["", "web/app"], ["api"], []]],
    ["all, when it is not known yet", null, [["", "web/app"], ["api"], []]],
    ["none, when nothing was changed", [], [[""], undefined, ["web", "api/"]]],
  ])("%s", (_name, changed, expected) => {
    expect(places(changed)).toEqual(expected);
  });

  test("a root that holds the whole repository is touched by every change", () => {
    const whole = { projects: [{ root: ".", lockfile: "package-lock.json", tests: [{ command: run, passed: 1 }] }] };
    expect(expandProjects(whole, ["docs/a.md"])).toEqual({
      contract: { tests: [{ command: run, passed: 1 }] },
      unaffected: [],
    });
  });

  test("a contract without projects stays as it is, twice too", () => {
    const { projects: _projects, ...plain } = contract;
    expect(expandProjects(plain, ["a"])).toEqual({ contract: plain, unaffected: [] });
  });
});
