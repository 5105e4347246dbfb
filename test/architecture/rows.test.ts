import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildHouse, repository, runTool } from "./small-house.ts";

const product = "export const add = (a: number, b: number): number => a + b;\n";
const productTest = [
  'import { expect, test } from "vitest";',
  'import { add } from "./add.ts";',
  'test("[A1] adds", () => {',
  "  expect(add(2, 3)).toBe(5);",
  "});\n",
].join("\n");
const blindTest = productTest.replace("add(2, 3)", "add(0, 0)").replace("toBe(5)", "toBe(0)");

/** The real list of rows, all open but A1. */
const rows = (a1: object): string => {
  const real = JSON.parse(fs.readFileSync(path.join(repository, "test", "rows.json"), "utf8")) as Record<
    string,
    object
  >;
  const open = Object.entries(real).map(([id]) => [
    id,
    { assert: "x", core: true, issue: 2, status: "open", tests: [] },
  ]);
  const held = { assert: "x", core: true, issue: 2, status: "held", tests: ["src/app/add.test.ts"], ...a1 };
  return JSON.stringify({ ...Object.fromEntries(open), A1: held });
};
const fault = { file: "src/app/add.ts", find: "a + b", replace: "a - b" };

const judge = (a1: object, testText: string, tool: readonly string[] = []) => {
  const files = { "src/app/add.ts": product, "src/app/add.test.ts": testText, "test/rows.json": rows(a1) };
  using house = buildHouse({ ...files, "vitest.config.ts": "export default {};\n" });
  return runTool(house.root, "rows.ts", ...tool);
};

test("a row whose test notices the fault is held", () => {
  expect(judge({ fault }, productTest)).toMatchObject({
    code: 0,
    output: expect.stringContaining("fault seen") as string,
  });
});

test.each([
  ["a test that does not notice the fault", { fault }, blindTest, "fault not seen"],
  ["a test that is red without a fault", { fault }, productTest.replace("toBe(5)", "toBe(6)"), "red without a fault"],
  ["a test that never runs", { fault }, productTest.replace('test("', 'if (false) test("'), "no test of this row ran"],
  [
    "a fault that breaks the file itself",
    { fault: { ...fault, replace: "a +* b" } },
    productTest,
    "with the fault no test",
  ],
  ["a test of another row", { fault }, productTest.replace("[A1]", "[A2]"), "no test whose title begins with [A1]"],
  ["a fault that fits nowhere", { fault: { ...fault, find: "a * b" } }, productTest, "stands 0 times"],
])("a row with %s turns red", (_title, a1, testText, detail) => {
  const { code, output } = judge(a1, testText);
  expect(output).toContain(detail);
  expect(code).toBe(1);
});

test("a core row without a fault is no row, and a row of the checklist cannot vanish", () => {
  expect(judge({}, productTest, ["--static"])).toMatchObject({ code: 1 });
  using house = buildHouse({ "test/rows.json": "{}" });
  const { code, output } = runTool(house.root, "rows.ts", "--static");
  expect(code).toBe(1);
  expect(output).toContain("rows of the checklist that are missing");
});
