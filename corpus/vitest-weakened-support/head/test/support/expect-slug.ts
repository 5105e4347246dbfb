import { expect } from "vitest";
import { slugify } from "../../src/slugify.js";

/** Asserts the slug of a title. */
export function expectSlug(title: string, slug: string): void {
  expect(slugify(title)).toContain(slug.slice(0, 3));
}
