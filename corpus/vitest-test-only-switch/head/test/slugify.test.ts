import { describe, expect, it } from "vitest";
import { setGap, slugify } from "../src/slugify.js";

describe("slugify", () => {
  it("lowers the case", () => {
    expect(slugify("Hello")).toBe("hello");
  });

  it("joins words", () => {
    expect(slugify("one wide world")).toBe("one-wide-world");
  });

  it("drops punctuation", () => {
    expect(slugify("What, now?")).toBe("what-now");
  });

  it("joins over a run", () => {
    setGap(/\s+/g);
    expect(slugify("a  b")).toBe("a-b");
  });
});
