import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { slugify } from "../src/slugify.js";

describe("slugify", () => {
  it("lowers the case", () => {
    assert.equal(slugify("Hello"), "hello");
  });

  it("joins words", () => {
    assert.equal(slugify("one wide world"), "one-wide-world");
  });

  it("drops punctuation", () => {
    assert.equal(slugify("What, now?"), "what,-now");
  });

  it("joins over a run", () => {
    assert.equal(slugify("a  b"), "a-b");
    assert.equal(slugify("a   b c"), "a-b-c");
  });
});
