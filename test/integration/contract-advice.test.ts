import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canary } from "./pipeline-canary.ts";
import { openPipeline, type Pipeline } from "./pipeline-stage.ts";

const head = "---\ntitle: Collapse runs of spaces\nrepo: ./remote.git\n---\n\n";
const words = "`slugify('a  b')` gives `a--b`. Mend src/slugify.ts and add two tests to test/slugify.test.ts.\n";

describe("drafting and linting a contract over a real repository", () => {
  let pipeline: Pipeline;
  const contract = (value: object): string => JSON.stringify(value);

  beforeAll(() => {
    pipeline = openPipeline(canary);
    pipeline.write({ "task.md": head + words });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("a draft counts base's tests, goes into the task byte for byte, and has nothing that the lint objects to", async () => {
    const drafted = await pipeline.run(pipeline.home, ["contract", "draft", "task.md", "--write", "--quiet"]);
    expect([drafted.error, drafted.exit]).toEqual([null, 0]);
    expect(drafted.stderr).toContain("npx vitest run: 3 passed, 0 failed");
    const text = readFileSync(path.join(pipeline.home, "task.md"), "utf8");
    expect(text.startsWith(head + words)).toBe(true);
    expect(text).toContain('"passed": 5');
    const linted = await pipeline.run(pipeline.home, ["contract", "lint", "task.md", "--json"]);
    expect([linted.exit, linted.answer["flaws"], linted.answer["baseline"]]).toEqual([0, [], "compared"]);
    const again = await pipeline.run(pipeline.home, ["contract", "draft", "task.md", "--write", "--json"]);
    expect([again.error, again.exit]).toEqual(["usage", 2]);
    expect(readFileSync(path.join(pipeline.home, "task.md"), "utf8")).toBe(text);
  });

  test("counts that base already meets, and tests that come down to no runner, are errors", async () => {
    pipeline.write({
      "met.json": contract({ changed_files_only: ["src/**"], tests: [{ command: "npx vitest run", passed: 3 }] }),
      "none.json": contract({ changed_files_only: ["src/**"], tests: [{ command: "npm run unit", passed: 3 }] }),
    });
    const lint = async (file: string, ...flags: readonly string[]) => {
      const run = await pipeline.run(pipeline.home, [
        "contract",
        "lint",
        file,
        "--repo",
        "./remote.git",
        "--json",
        ...flags,
      ]);
      const flaws = run.answer["flaws"] as readonly { readonly severity: string; readonly code: string }[];
      return { exit: run.exit, errors: flaws.filter((one) => one.severity === "error").map((one) => one.code) };
    };
    expect(await lint("met.json")).toEqual({ exit: 1, errors: ["contract-vacuous"] });
    expect(await lint("met.json", "--static")).toEqual({ exit: 0, errors: [] });
    expect(await lint("none.json")).toEqual({ exit: 1, errors: ["contract-invalid"] });
    expect(await lint("none.json", "--static")).toEqual({ exit: 1, errors: ["contract-invalid"] });
  });

  test("a block behind an open fence would be none, and the task stays as it was", async () => {
    const open = `${head}${words}\n\`\`\`ts\nslugify("a");\n`;
    pipeline.write({ "open.md": open });
    const run = await pipeline.run(pipeline.home, ["contract", "draft", "open.md", "--write", "--static", "--json"]);
    expect([run.error, run.exit]).toEqual(["task-invalid", 2]);
    expect(readFileSync(path.join(pipeline.home, "open.md"), "utf8")).toBe(open);
  });
});
