import { expect, test } from "vitest";
import { canary, canaryText } from "./pipeline-canary.ts";
import { openPipeline, writeFiles } from "./pipeline-stage.ts";

const mended = canaryText("src/slugify.ts").replace('.replace(/\\s/g, "-")', '.replace(/\\s+/g, "-")');

test("a hunk that a test looks at is noticed; one that no test looks at survives, as a warning", async () => {
  const source = Array.from({ length: 12 }, (_, index) => `export const unused${index} = ${index};\n`).join("");
  using pipeline = openPipeline({ ...canary, "src/unused.ts": source });
  const work = pipeline.clone("work");
  writeFiles(work, {
    "src/slugify.ts": mended,
    "src/unused.ts": source.replace("unused3 = 3", "unused3 = 33"),
    "test/slugify.test.ts": canaryText("test/slugify.test.ts").replace(
      'toBe("what-now");\n  });\n',
      'toBe("what-now");\n  });\n  it("runs", () => expect(slugify("a  b")).toBe("a-b"));\n',
    ),
  });
  const contract = { tests: [{ command: "npx vitest run", passed: 4 }] };
  const run = await pipeline.check({ directory: work, contract, flags: ["--mutations", "60"] });
  expect([run.error, run.blocks]).toEqual([null, []]);
  const { mutations } = run.facts();
  expect(mutations?.left).toBe(0);
  expect(mutations?.tried.map((one) => [one.path, one.outcome]).toSorted()).toEqual([
    ["src/slugify.ts", "noticed"],
    ["src/unused.ts", "survived"],
  ]);
  const warned = run.verdict?.findings.filter((one) => one.code === "mutation-survived").map((one) => one.subject);
  expect(warned).toEqual(["src/unused.ts"]);
  const odd = await pipeline.check({ directory: work, contract, flags: ["--mutations", "soon"] });
  expect([odd.exit, odd.error]).toEqual([2, "usage"]);
});
