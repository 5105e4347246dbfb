import { describe, expect, it } from "vitest";
import { nodeTestFileFilters, planNodeTestLaunch, refuseNodeTestVersion } from "./launch.ts";

const request = {
  args: ["--test-name-pattern", "adds", "test/a.test.js"],
  exclude: [],
  node: "/node",
  bin: "/node",
  witness: "/witness",
  report: "/report",
  version: "24.1.0",
  assertionsRequired: true,
};

describe("planNodeTestLaunch", () => {
  it("loads the witness before node reads a test, and every flag stands before the files", () => {
    const plan = planNodeTestLaunch(request);
    if (plan.kind !== "launch") throw new Error(plan.detail);
    expect(plan.argv.slice(0, 4)).toEqual(["/node", "--require", "/witness/pre.cjs", "--test"]);
    expect(plan.argv).toContain("--test-reporter=/witness/node-test-reporter.mjs");
    expect(plan.argv.slice(-2)).toEqual(["--test-name-pattern=adds", "test/a.test.js"]);
    const count = (start: string): number => plan.argv.filter((word) => word.startsWith(start)).length;
    expect(count("--test-reporter-destination=")).toBe(count("--test-reporter="));
  });

  it("files are arguments, values of flags are not", () => {
    expect(nodeTestFileFilters(request.args)).toEqual(["test/a.test.js"]);
  });

  it.each(["20.20.2", "22.23.3", "24.22.3"])("node %s is launched", (version) => {
    expect(refuseNodeTestVersion(version)).toBeNull();
  });

  it.each(["18.20.0", "21.1.0", "25.0.0", "", "v24"])("node %j is not", (version) => {
    expect(planNodeTestLaunch({ ...request, version }).kind).toBe("unsupported-version");
  });
});
