import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
