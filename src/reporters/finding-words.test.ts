import { expect, test } from "vitest";
import { findingCodes } from "../core/gate/index.ts";
import { wordsOf } from "./finding-words.ts";

test.each(findingCodes)("%s has a title and a hint", (code) => {
  const { title, hint } = wordsOf(code);
  expect(title).toMatch(/^[A-Z].*[^.]$/u);
  expect(hint).toMatch(/^[A-Z].*\.$/u);
  expect(title).not.toMatch(/no words/u);
});

test.each(["from-a-later-version", "toString", "__proto__"])(
  "%s, a code this version does not know, says so",
  (code) => {
    expect(wordsOf(code).title).toMatch(/no words/u);
  },
);
