import { describe, expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

describe("slugify", () => {
  it("lowers the case", () => {
    expect(slugify("Hello")).toBe("hello");
  });

  it("joins words", () => {
    expect(slugify("one wide world")).toBe("one_wide_world");
  });

  it("drops punctuation", () => {
    expect(slugify("What, now?")).toBe("what_now");
  });

  it("joins by underscores", () => {
    expect(slugify("a b")).toBe("a_b");
  });
});
