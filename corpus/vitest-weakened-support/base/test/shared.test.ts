import { it } from "vitest";
import { expectSlug } from "./support/expect-slug.js";

it("keeps commas out", () => {
  expectSlug("One, two", "one-two");
});
