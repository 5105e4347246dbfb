import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addTests, canary, canaryContract, canaryText, honestTest, mend } from "./pipeline-canary.ts";
import { openPipeline, type Delivered, type Pipeline, type Step } from "./pipeline-stage.ts";

const imports = `import { afterEach, expect, it } from "vitest";\nimport { slugify } from "../src/slugify.js";\n`;
const write = (name: string, text: string): Step => ({ write: { path: name, text } });
/** Red on base, since what it imports is new; on head it fails too, unless something makes it pass. */
const marked = `import { mark } from "../src/mark.js";\n`;
const mark = write("src/mark.ts", "export const mark = 1;\n");
const wrong = `it("joins over a run", () => {\n  expect(mark).toBe(1);\n  expect(slugify("a  b")).toBe("a-b");\n});\n`;
const flip = (test: string): string =>
  `(context) => { const task = context.task; ${test} task.result.state = "pass"; delete task.result.errors; }`;

const forgers: Readonly<Record<string, string>> = {
  "test/matcher.test.ts": `${imports}${marked}expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });\n${wrong}`,
  "test/hook.test.ts": `${imports}${marked}afterEach(${flip("")});\n${wrong}`,
  "test/title.test.ts": `${imports}${marked}afterEach(${flip('if (task.name === "joins over a run")')});\n${wrong}`,
  "test/suite.test.ts": `import { afterEach, describe, expect, it } from "vitest";\nimport { slugify } from "../src/slugify.js";\n${marked}describe("slugs", () => {\nafterEach(${flip("")});\n${wrong}});\n`,
  "test/getter.test.ts": `${imports}${marked}afterEach(({ task }) => { delete task.result.errors; Object.defineProperty(task.result, "state", { get: () => "pass", set() {}, enumerable: true }); });\n${wrong}`,
};

describe("must-fail tests beside tests that something makes pass", () => {
  let pipeline: Pipeline;
  let run: Delivered;

  beforeAll(async () => {
    pipeline = openPipeline(canary);
    run = await pipeline.deliver({
      contract: { tests: [{ command: "npx vitest run", added: 5 }] },
      steps: [mark, ...Object.entries(forgers).map(([name, text]) => write(name, text))],
    });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E12] all of them pass on head and are red on base: only the canary blocks", () => {
    expect([run.error, run.exit]).toEqual([null, 1]);
    expect([...new Set(run.blocks.map((one) => one.split(" ")[0]))]).toEqual(["canary-flipped"]);
  });

  test.each([
    ["47: a matcher that always passes", "test/matcher.test.ts"],
    ["49: a hook that rewrites every result", "test/hook.test.ts"],
    ["49: a hook that rewrites its own title's only", "test/title.test.ts"],
    ["49: a hook inside the suite", "test/suite.test.ts"],
    ["50: a result that always says pass", "test/getter.test.ts"],
  ])("[E12] %s is found", (_name, file) => {
    expect(run.blocks.some((one) => one.startsWith(`canary-flipped ${file} > `))).toBe(true);
  });

  test("[E12] 48: a source that patches the runner is found in test files that the change never touched", async () => {
    const patch = `
type Task = { result: { state: string; errors?: unknown } };
const hook = Reflect.get(globalThis, "afterEach") as ((act: (context: { task: Task }) => void) => void) | undefined;
hook?.(({ task }) => { task.result.state = "pass"; delete task.result.errors; });
`;
    using globals = openPipeline({
      ...canary,
      "vitest.config.ts": `import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { globals: true } });\n`,
    });
    const source = canaryText("src/slugify.ts").replace("/\\s/g", "/\\s+/gu");
    const patched = await globals.deliver({
      contract: { intent: "refactor", tests: [{ command: "npx vitest run", keep_base: true }] },
      steps: [{ write: { path: "src/slugify.ts", text: `${source}${patch}` } }],
    });
    expect([patched.error, patched.exit]).toEqual([null, 1]);
    expect(patched.blocks.some((one) => one.startsWith("canary-flipped test/slugify.test.ts > "))).toBe(true);
  });
});

describe("honest tests beside must-fail ones", () => {
  test("hooks, tables, fixtures, concurrency, snapshots and mocks pass as they did", async () => {
    using pipeline = openPipeline(canary);
    const rich = `import { afterAll, afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { slugify } from "../src/slugify.js";
let count = 0;
beforeEach(() => { count += 1; });
afterEach(() => { vi.restoreAllMocks(); });
describe.each(["a", "b"])("table %s", (letter) => { it("keeps it", () => expect(slugify(letter)).toBe(letter)); });
describe("rich", { concurrent: true }, () => {
  afterAll(() => { expect(count).toBeGreaterThan(0); });
  it.each([["x  y", "x-y"]])("joins %s", (from, to) => expect(slugify(from)).toBe(to));
  it("is a twin", () => expect(slugify("c  d")).toBe("c-d"));
  it("is a twin", () => expect(slugify("e  f")).toBe("e-f"));
  describe("deep", () => { it('with "quotes" and \\u2028', () => { expect(slugify("g")).toMatchInlineSnapshot('"g"'); }); });
});
test.extend<{ word: string }>({ word: async ({}, use) => { await use("h  i"); } })("uses a fixture", ({ word }) => { expect(slugify(word)).toBe("h-i"); });
`;
    const run = await pipeline.deliver({
      contract: { tests: [{ command: "npx vitest run", added: 8 }] },
      steps: [
        mend,
        write("test/rich.test.ts", rich),
        addTests('\n  it("joins", () => expect(slugify("a  b")).toBe("a-b"));\n'),
      ],
    });
    expect([run.error, run.exit, run.blocks]).toEqual([null, 0, []]);
    const [measured] = run.facts().canary ?? [];
    expect(measured?.files.map((one) => one.planted.length)).toEqual([14, 10]);
    expect(measured?.runs).toHaveLength(1);
  });

  test("[E11] the same artifacts judged again give the same verdict, with what was planted", async () => {
    using pipeline = openPipeline(canary);
    const run = await pipeline.deliver({ contract: canaryContract, steps: [mend, honestTest] });
    const again = await pipeline.run(pipeline.home, ["gate", run.out, "--json"]);
    expect([run.exit, again.exit]).toEqual([0, 0]);
    expect(again.verdict).toEqual(run.verdict);
  });
});
