import { describe, expect, it } from "vitest";
import { planVitestLaunch, refuseVitestVersion, vitestFileFilters } from "./launch.ts";

const request = {
  args: ["run", "test/a.test.ts"],
  exclude: [] as string[],
  node: "/node",
  bin: "/repo/node_modules/vitest/vitest.mjs",
  witness: "/witness",
  report: "/report.json",
  version: "5.1.2",
  assertionsRequired: true,
};

function launch(more: Partial<typeof request> = {}): { readonly argv: readonly string[] } {
  const plan = planVitestLaunch({ ...request, ...more });
  if (plan.kind !== "launch") throw new Error(plan.detail);
  return plan;
}

describe("planVitestLaunch", () => {
  it("loads the witness before vitest and runs once, in processes, with our reporters", () => {
    const { argv } = launch();
    expect(argv.slice(0, 5)).toEqual(["/node", "--require", "/witness/pre.cjs", request.bin, "run"]);
    for (const word of [
      "--pool=forks",
      "--isolate=true",
      "--retry=0",
      "--reporter=/witness/vitest-reporter.mjs",
      "--allowOnly=false",
    ]) {
      expect(argv).toContain(word);
    }
    expect(argv.at(-1)).toBe("test/a.test.ts");
  });

  it("the witness speaks before any other reporter: one that throws at the end takes nothing of it", () => {
    const reporters = launch().argv.filter((word) => word.startsWith("--reporter="));
    expect(reporters).toEqual(["--reporter=/witness/vitest-reporter.mjs", "--reporter=default", "--reporter=json"]);
  });

  it.each([
    ["without run", ["test/a.test.ts"]],
    ["with run", ["run", "test/a.test.ts"]],
  ])("says run exactly once, %s", (_name, args) => {
    expect(launch({ args }).argv.filter((word) => word === "run")).toHaveLength(1);
  });

  it.each([
    [
      ["run", "a.test.ts", "b.test.ts"],
      ["a.test.ts", "b.test.ts"],
    ],
    [["run", "-t", "adds", "a.test.ts"], ["a.test.ts"]],
    [["run", "--test-name-pattern", "adds"], []],
    [["run", "--testNamePattern=adds", "a.test.ts"], ["a.test.ts"]],
    [["run", "--globals", "a.test.ts"], ["a.test.ts"]],
  ])("the file filters of %j are %j", (args, filters) => {
    expect(vitestFileFilters(args)).toEqual(filters);
  });

  it("keeps a flag and its value together, so that no filter is taken for one", () => {
    expect(launch({ args: ["run", "-t", "adds"] }).argv).toContain("-t=adds");
  });

  it.each([
    ["3.2.4", "--poolOptions.forks.singleFork=false", true],
    ["4.0.18", "--poolOptions.forks.singleFork=false", false],
    ["4.0.18", "--experimental.fsModuleCache=false", true],
    ["4.0.11", "--experimental.fsModuleCache=false", true],
    ["4.1.0", "--experimental.fsModuleCache=false", true],
    ["4.0.10", "--experimental.fsModuleCache=false", false],
    ["5.1.2", "--fsModuleCache=false", true],
    ["3.2.4", "--fsModuleCache=false", false],
  ])("%s: %s is given: %s", (version, word, given) => {
    expect(launch({ version }).argv.includes(word)).toBe(given);
  });

  it.each([
    ["1.6.1", "vitest-classic-reporter", false, false],
    ["2.1.9", "vitest-classic-reporter", true, true],
    ["3.2.7", "vitest-reporter", true, true],
  ])("%s: the reporter %s, assertions required: %s, its own report: %s", (version, reporter, required, report) => {
    const words = launch({ version, assertionsRequired: true }).argv.join(" ");
    expect(words).toContain(`/${reporter}.mjs`);
    expect([words.includes("requireAssertions"), words.includes("--reporter=json")]).toEqual([required, report]);
  });

  it("excludes a file that matches by accident, by a glob that matches only it", () => {
    expect(launch({ exclude: ["sub/[id]/a.test.ts"] }).argv).toContain(String.raw`--exclude=sub/\[id\]/a.test.ts`);
  });

  it("vitest 1, which takes one such option, is given one glob for all", () => {
    const { argv } = launch({ version: "1.6.1", exclude: ["x/a.test.ts", "y/a.test.ts", "z,/a.test.ts"] });
    expect(argv).toContain("--exclude={x/a.test.ts,y/a.test.ts}");
  });

  it("asks for assertions only where base can hold it", () => {
    expect(launch({ assertionsRequired: false }).argv.join(" ")).not.toContain("requireAssertions");
  });

  it("the one version that cannot load our reporter is refused by name", () => {
    expect(refuseVitestVersion("4.0.0")).toContain("4.0.1 and later do");
    expect(refuseVitestVersion("4.0.1")).toBeNull();
  });

  it.each(["0.34.6", "6.0.0", "", "next"])("version %j is not launched", (version) => {
    expect(planVitestLaunch({ ...request, version }).kind).toBe("unsupported-version");
    expect(refuseVitestVersion(version)).toContain("1 to 5 can be witnessed");
  });
});
