import { describe, expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

describe("slugify", () => {
  it("lowers the case", () => {
    expect(slugify("Hello")).toEqual("hello");
  });

  it("joins words", () => {
    expect(slugify("one wide world")).toEqual("one-wide-world");
  });

  it("drops punctuation", () => {
    expect(slugify("What, now?")).toEqual("what-now");
  });

  it("joins over a run", () => {
    expect(slugify("a  b")).toEqual("a-b");
    expect(slugify("a   b c")).toEqual("a-b-c");
  });
});
