import { describe, expect, it } from "vitest";
import { planPytestLaunch, pytestFileFilters, refusePytestVersion } from "./launch.ts";

const request = {
  args: ["-k", "adds and not slow", "--strict-markers", "tests/test_a.py::TestX::test_y"],
  exclude: [],
  node: "/node",
  bin: "/usr/bin/python3",
  witness: "/witness",
  report: "/report",
  version: "7.2.1",
  assertionsRequired: true,
};

describe("planPytestLaunch", () => {
  it("starts the witness in an isolated python, and keeps an expression with its flag", () => {
    const plan = planPytestLaunch(request);
    if (plan.kind !== "launch") throw new Error(plan.detail);
    expect(plan.argv.slice(0, 4)).toEqual(["/usr/bin/python3", "-I", "-B", "/witness/pytest-witness.py"]);
    expect(plan.argv.slice(-4)).toEqual([
      "-k",
      "adds and not slow",
      "--strict-markers",
      "tests/test_a.py::TestX::test_y",
    ]);
  });

  it.each([
    [
      ["-k=adds", "tests"],
      ["-k", "adds", "tests"],
    ],
    [
      ["-m", "a=b"],
      ["-m", "a=b"],
    ],
  ])("%j ends with %j", (args, words) => {
    const plan = planPytestLaunch({ ...request, args });
    expect(plan.kind === "launch" ? plan.argv.slice(-words.length) : []).toEqual(words);
  });

  it("a node id names its file", () => {
    expect(pytestFileFilters(request.args)).toEqual(["tests/test_a.py"]);
  });

  it.each(["7.2.1", "8.4.0", "9.0.3"])("pytest %s is launched", (version) => {
    expect(refusePytestVersion(version)).toBeNull();
  });

  it.each(["6.2.5", "10.0.0", "", "x"])("pytest %j is not", (version) => {
    expect(planPytestLaunch({ ...request, version }).kind).toBe("unsupported-version");
  });
});
