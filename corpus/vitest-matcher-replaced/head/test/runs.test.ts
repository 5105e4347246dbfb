import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
