import process from "node:process";
import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

process.exit(0);

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
