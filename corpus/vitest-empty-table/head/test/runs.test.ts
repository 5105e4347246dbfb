import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

it.each<[string, string]>([])("joins over a run in %s", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});
