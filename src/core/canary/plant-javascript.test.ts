import { describe, expect, test } from "vitest";
import { makeCase, makeCases } from "../../../test/fixtures/facts-builders.ts";
import type { PlantedTest } from "../facts/index.ts";
import { planPlanted } from "./plan-planted.ts";
import { plantJavaScript, type PlantDialect } from "./plant-javascript.ts";

const dialect: PlantDialect = { bind: (names, kind) => `bind(${kind});` };
const twin = (suite: readonly string[], title = "x"): PlantedTest => ({
  suite,
  title,
  kind: "twin",
  fails_by: "throw",
});
const plant = (text: string, planted: readonly PlantedTest[], path = "a.test.ts"): string | null =>
  plantJavaScript({ path, text }, planted, { dialect, seed: "0f" });
const code = `check_0f("x", () => { throw new Error("no"); });`;
const inside = (text: string | null): boolean => text !== null && text.indexOf(code) < text.indexOf("bind(");
const wrappedIn = (text: string | null, suite: string): boolean =>
  text !== null && text.endsWith(`group_0f("${suite}", () => { ${code} });\n`);

describe("plantJavaScript", () => {
  test("a twin is the last test of its own suite, where the suite's hooks reach it", () => {
    expect(plant(`describe("a", () => {\n  afterEach(flip);\n  it("x", () => {});\n});\n`, [twin(["a"])])).toBe(
      `describe("a", () => {\n  afterEach(flip);\n  it("x", () => {});\n\n${code}\n});\n\n;bind(script);\n\n`,
    );
  });

  test.each([
    ["nested suites", `describe("a", () => { describe.sequential("b", function () { it("x"); }); });`, ["a", "b"]],
    ["typed code", `describe("a", (): void => { const y = z as unknown as T; it("x"); });`, ["a"]],
    ["one of two suites of a name", `describe("a", () => { it("x"); }); describe("a", () => { it("y"); });`, ["a"]],
  ])("%s: inside", (_name, text, suite) => {
    expect(inside(plant(text, [twin(suite)]))).toBe(true);
  });

  test.each([
    ["a suite from a table", `describe.each([1])("a", () => { it("x"); });`],
    ["a suite with a worked-out title", "describe(`${y}`, () => { it('x'); });"],
    ["a suite whose function returns last", `describe("a", () => { it("x"); return y; });`],
    ["a suite in a function that anyone may call", `function f() { describe("a", () => { it("x"); }); }`],
    ["a suite that is not there", `it("x", () => {});`],
  ])("%s: at the end, in a suite of that name", (_name, text) => {
    expect(wrappedIn(plant(text, [twin(["a"])]), "a")).toBe(true);
  });

  test("titles are written as data", () => {
    const title = '"); process.exit(0); ("\n\u2028';
    expect(plant("", [twin([], title)])).toContain(`check_0f(${JSON.stringify(title)}, `);
  });

  test("what is no whole code is not planted in", () => {
    expect(plant(`describe("a", () => {`, [twin(["a"])])).toBeNull();
  });

  test("names that stand in the file are not taken", () => {
    expect(plant(`const check_0f = 1;`, [twin([])])).toContain("check_0f_(");
  });
});

describe("planPlanted", () => {
  const cases = [
    ...makeCases(30),
    makeCase({ title: "case 1", ordinal: 1 }),
    makeCase({ title: "off", state: "skipped" }),
  ];
  const seed = { seed: "a", file: "tests/slug.test.ts", anyTitle: true };

  test("twins of ten tests that passed and two strays, one failing each way; the same seed gives the same", () => {
    const planted = planPlanted(cases, seed);
    expect(planted.filter((one) => one.kind === "twin")).toHaveLength(20);
    expect(new Set(planted.map((one) => one.title)).size).toBe(12);
    const ways = planted.map((one) => JSON.stringify([one.title, one.fails_by]));
    expect(new Set(ways.filter((_, index) => planted[index]?.kind === "twin")).size).toBe(20);
    expect(planted.filter((one) => one.fails_by === "throw")).toHaveLength(11);
    expect(planted.some((one) => one.title === "off")).toBe(false);
    expect(planPlanted(cases.toReversed(), seed)).toEqual(planted);
    expect(planPlanted(cases, { ...seed, seed: "b" })).not.toEqual(planted);
  });

  test("only twins where the command runs tests of some titles", () => {
    expect(planPlanted(cases, { ...seed, anyTitle: false }).every((one) => one.kind === "twin")).toBe(true);
  });
});
