const { slugify } = require("../src/slugify.js");

describe("slugify", () => {
  it("lowers the case", () => {
    expect(slugify("Hello")).toBe("hello");
  });

  it("joins words", () => {
    expect(slugify("one wide world")).toBe("one-wide-world");
  });

  it("drops punctuation", () => {
    expect(slugify("What, now?")).toBe("what,-now");
  });

  it("joins over a run", () => {
    expect(slugify("a  b")).toBe("a-b");
    expect(slugify("a   b c")).toBe("a-b-c");
  });
});
