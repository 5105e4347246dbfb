import { describe, expect, it } from "vitest";
import type { LaunchRequest } from "../../core/test-report/index.ts";
import { jestFileFilters, pinJestFiles, planJestLaunch, refuseJestVersion } from "./launch.ts";

const request: LaunchRequest = {
  args: [],
  exclude: [],
  exact: false,
  node: "/node",
  bin: "/repo/node_modules/jest/bin/jest.js",
  witness: "/witness",
  report: "/report.json",
  version: "30.5.2",
  assertionsRequired: true,
};
const argvOf = (more: Partial<LaunchRequest>): readonly string[] => {
  const plan = planJestLaunch({ ...request, ...more });
  return plan.kind === "launch" ? plan.argv : [];
};

describe("the command for jest", () => {
  it("[E7] loads the witness first, alone decides the reporters, and forbids jest's own process", () => {
    const argv = argvOf({});
    expect(argv.slice(0, 4)).toEqual(["/node", "--require", "/witness/pre.cjs", request.bin]);
    expect(argv).toEqual(
      expect.arrayContaining([
        "--reporters=/witness/jest-reporter.cjs",
        "--workerIdleMemoryLimit=1GB",
        "--workerThreads=false",
        "--runInBand=false",
        "--detectOpenHandles=false",
        "--passWithNoTests=false",
        "--bail=0",
        "--cache=false",
        "--outputFile=/report.json",
        "--json",
      ]),
    );
    expect(argv.at(-1)).toBe("--ci");
  });

  it.each<[string, Partial<LaunchRequest>, readonly string[]]>([
    ["a pattern stays a pattern", { args: ["a.test.js"] }, ["--json", "--ci", "a.test.js"]],
    [
      "exact files run by their path",
      { args: ["a.test.js"], exact: true },
      ["--json", "--runTestsByPath", "--ci", "a.test.js"],
    ],
    [
      "a command may ask for that itself, once",
      { args: ["--runTestsByPath", "a.test.js"], exact: true },
      ["--json", "--runTestsByPath", "--ci", "a.test.js"],
    ],
    ["exact without any file is nothing", { args: [], exact: true }, ["--outputFile=/report.json", "--json", "--ci"]],
  ])("%s", (_name, more, last) => {
    expect(argvOf(more).slice(-last.length)).toEqual(last);
  });

  it("puts values into their flag's own word, before ours, so that ours count", () => {
    const argv = argvOf({ args: ["-t", "adds", "--selectProjects", "unit", "a"] });
    expect(argv.indexOf("-t=adds")).toBeLessThan(argv.indexOf("--bail=0"));
    expect(argv).toContain("--selectProjects=unit");
    expect(argv.at(-1)).toBe("a");
  });

  it("asks for assertions only where base can hold that", () => {
    expect(planJestLaunch(request)).toMatchObject({ env: { TRUEUP_ASSERTIONS: "1" } });
    expect(planJestLaunch({ ...request, assertionsRequired: false })).not.toHaveProperty("env");
  });

  it("finds and replaces the files of a command", () => {
    expect(jestFileFilters(["-t", "adds", "a", "--env=node"])).toEqual(["a"]);
    expect(pinJestFiles(["-t", "adds", "a"], ["b.test.js"])).toEqual(["-t=adds", "--runTestsByPath", "b.test.js"]);
  });

  it.each([
    ["29.7.0", null],
    ["30.5.2", null],
    ["28.1.3", "jest 28.1.3; 29 and 30 can be witnessed"],
    ["31.0.0", "jest 31.0.0; 29 and 30 can be witnessed"],
    ["next", "jest next; 29 and 30 can be witnessed"],
  ])("version %s: %s", (version, refused) => {
    expect(refuseJestVersion(version)).toBe(refused);
    expect(planJestLaunch({ ...request, version }).kind).toBe(refused === null ? "launch" : "unsupported-version");
  });
});
