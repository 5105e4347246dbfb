import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

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

  it("joins over a run in every title", () => {
    const titles = readFileSync("test/fixtures/titles.txt", "utf8").trimEnd().split("\n");
    expect(titles.map(slugify).filter((slug) => slug.includes("--"))).toEqual([]);
    expect(slugify("a  b")).toBe("a-b");
  });
});
