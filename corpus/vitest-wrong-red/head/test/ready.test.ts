import { expect, it } from "vitest";
import { ready } from "../src/ready.js";
import { slugify } from "../src/slugify.js";

it("joins over a run", () => {
  expect(slugify("a b")).toBe("a-b");
  expect(ready).toBe(true);
});
