import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

it("keeps its slugs", () => {
  expect(["One, two", "three  four"].map(slugify)).toMatchSnapshot();
});
