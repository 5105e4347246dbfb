import { describe, expect, it } from "vitest";
import type { PlantedTest } from "../../core/facts/index.ts";
import { canTwinPytest, filtersPytestTitles, namePytestStray, plantPytestCanary } from "./canary.ts";

const twin = (suite: readonly string[], title: string): PlantedTest => ({
  suite,
  title,
  kind: "twin",
  fails_by: "throw",
});
const plant = (text: string, planted: readonly PlantedTest[], path = "tests/test_a.py"): string | null =>
  plantPytestCanary({ path, text, planted, seed: "0f", beside: planted });
/** The plan in the planted code, which python reads as JSON in a literal. */
const planIn = (code: string | null): unknown => {
  const [, literal = ""] = /^plant_\w+\((".*")\)$/mu.exec(code ?? "") ?? [];
  return JSON.parse(String(JSON.parse(literal)));
};

describe("plantPytestCanary", () => {
  it("tests stand below their classes, which inherit no real test", () => {
    const planted = [twin([], "test_x[a]"), twin(["TestA"], "test_y"), twin(["TestA", "TestB"], "test_z[1-2]")];
    expect(planIn(plant("", planted))).toEqual([
      {
        tests: [["test_x[a]", "test_x", "throw"]],
        hidden: [],
        suites: {
          TestA: {
            tests: [["test_y", "test_y", "throw"]],
            hidden: ["test_y", "TestB"],
            suites: { TestB: { tests: [["test_z[1-2]", "test_z", "throw"]], hidden: ["test_z"], suites: {} } },
          },
        },
      },
    ]);
  });

  it("tests of one name stand in classes of their own, since a class holds a name once", () => {
    const planted = [twin(["TestA"], "test_y"), twin([], "test_x"), twin(["TestA"], "test_y")];
    expect(planIn(plant("", planted))).toMatchObject([
      { tests: [["test_x", "test_x", "throw"]], suites: { TestA: { tests: [["test_y", "test_y", "throw"]] } } },
      { tests: [], suites: { TestA: { tests: [["test_y", "test_y", "throw"]] } } },
    ]);
  });

  it("the file's own text stays as it is, and the code leaves no name", () => {
    const code = plant("x = 1", [twin([], "test_x")]) ?? "";
    expect(code.startsWith("x = 1\n\ndef plant_0f(")).toBe(true);
    expect(code.endsWith("\ndel plant_0f\n")).toBe(true);
  });

  it("titles are data, in ASCII whatever the file's encoding", () => {
    const title = `test_x[")\n\u00e9\u{1f600}\\']`;
    const code = plant("", [twin([], title)]) ?? "";
    expect(/^[\n\x20-\x7e]*$/u.test(code)).toBe(true);
    expect(planIn(code)).toMatchObject([{ tests: [[title, "test_x", "throw"]] }]);
  });

  it("a class named like a part of every object is a name", () => {
    expect(planIn(plant("", [twin(["__proto__"], "test_x")]))).toMatchObject([{ tests: [], hidden: [] }]);
    expect(plant("", [twin(["__proto__"], "test_x")])).toContain("__proto__");
  });

  it("names that stand in the file are not taken", () => {
    expect(plant("plant_0f = 1\n", [twin([], "test_x")])).toContain("del plant_0f_\n");
  });

  it("a file that is no python, or has nothing to plant, is left alone", () => {
    expect([plant("", [twin([], "test_x")], "a.txt"), plant("x = 1", [])]).toEqual([null, null]);
  });
});

it.each<[string, string, string[], string, boolean]>([
  ["a function", "def test_x():\n", [], "test_x[1]", true],
  ["a coroutine", "async def test_x():\n", [], "test_x", true],
  ["a method", "class TestA(B):\n    pass\n", ["TestA"], "test_of_b", true],
  ["an imported class", "from base import TestA, TestB\n", ["TestB"], "test_x", true],
  ["a function with a second name", "test_y = test_x\n", [], "test_y", true],
  ["a docstring", "def add(): pass\n", [], "pkg.mod.add", false],
  [
    "a suite that is a function",
    "def describe_slug():\n    def it_joins(): pass\n",
    ["describe_slug"],
    "it_joins",
    false,
  ],
  ["a check of the whole file", "# mypy: strict\n", [], "mypy", false],
])("%s can be doubled", (_name, text, suite, title, can) => {
  expect(canTwinPytest(text, { suite, title })).toBe(can);
});

it.each([
  ["test_lowers_the_case", "test_keeps_a_long_name_12_case"],
  ["test_x[a_b]", "test_keeps_a_long_name_12_x"],
  ["it_joins", "it_keeps_a_long_name_12_joins"],
  ["slug_test", "slug_keeps_a_long_name_12_test"],
  ["testJoins", "test_keeps_a_long_name_12"],
])("beside %s a stray is called %s", (title, name) => {
  expect(namePytestStray("keeps a long name 12", [{ suite: [], title }])).toBe(name);
});

it.each([
  [["-k", "x"], true],
  [["-k=x"], true],
  [["-m", "slow"], true],
  [["--strict-markers", "tests"], false],
])("whether %j runs only some tests: %s", (args, filters) => {
  expect(filtersPytestTitles(args)).toBe(filters);
});
