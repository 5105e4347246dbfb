import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canary, canaryContract, honestTest, mend } from "./pipeline-canary.ts";
import { openPipeline, type Contract, type Delivered, type Pipeline, type Step } from "./pipeline-stage.ts";

/** Writes one file a word of `src/words.txt`, and takes away those of words that are gone. */
const generator = `import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
rmSync("src/words", { recursive: true, force: true });
mkdirSync("src/words");
for (const word of readFileSync("src/words.txt", "utf8").split("\\n").filter(Boolean))
  writeFileSync("src/words/" + word + ".ts", "export const " + word + " = 1;\\n");
`;
const word = (name: string): Record<string, string> => ({ [`src/words/${name}.ts`]: `export const ${name} = 1;\n` });
const write = (path: string, text: string): Step => ({ write: { path, text } });

const contract: Contract = {
  ...canaryContract,
  changed_files_only: ["src/**", "test/slugify.test.ts"],
  max_added_lines: 7,
  generated: [{ paths: ["src/words/**"], command: "node src/generate.js" }],
};

describe("generated files are made again in the clean room", () => {
  let pipeline: Pipeline;
  beforeAll(() => {
    pipeline = openPipeline({
      ...canary,
      "src/generate.js": generator,
      "src/words.txt": "alpha\nbeta\n",
      ...word("alpha"),
      ...word("beta"),
    });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  const deliver = (title: string, ...steps: readonly Step[]): Promise<Delivered> =>
    pipeline.deliver({ title, contract, steps: [mend, honestTest, ...steps] });

  test("a word added, one taken away, and the files as the command makes them: passed", async () => {
    const run = await deliver(
      "honest",
      write("src/words.txt", "alpha\ngamma\n"),
      write("src/words/gamma.ts", "export const gamma = 1;\n"),
      { delete: "src/words/beta.ts" },
    );
    expect([run.error, run.blocks]).toEqual([null, []]);
    expect(run.artifact("report.md")).toContain("2 files made again");
  });

  test("edited by hand, left out, and not taken away: each is named", async () => {
    const run = await deliver(
      "dishonest",
      write("src/words.txt", "alpha\ngamma\n"),
      write("src/words/alpha.ts", "export const alpha = 2;\n"),
    );
    expect(run.blocks).toEqual([
      "generated-differs src/words/alpha.ts",
      "generated-differs src/words/beta.ts",
      "generated-differs src/words/gamma.ts",
    ]);
  });

  test("a command that the change makes do nothing reproduces nothing", async () => {
    const run = await deliver(
      "idle",
      write("src/generate.js", "// nothing\n"),
      write("src/words/alpha.ts", "export const alpha = 2;\n"),
    );
    expect(run.blocks).toContain("generated-differs src/words/alpha.ts");
  });
});
