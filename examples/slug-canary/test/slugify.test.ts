import { describe, expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

describe("slugify", () => {
  it("lowers the case", () => {
    expect(slugify("Hello")).toBe("hello");
  });

  it("joins words with a hyphen", () => {
    expect(slugify("hello wide world")).toBe("hello-wide-world");
  });

  it("drops punctuation", () => {
    expect(slugify("What, now?")).toBe("what-now");
  });
});
