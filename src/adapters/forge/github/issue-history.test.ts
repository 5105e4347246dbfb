import { describe, expect, test } from "vitest";
import { closedNumbers } from "./closing-words.ts";
import { textAt, type EditedText } from "./text-at.ts";

describe("which issues a text closes", () => {
  test.each<[string, readonly number[]]>([
    ["Closes #1", [1]],
    ["fixes: #2, resolved #3 and CLOSE #2", [2, 3]],
    ["closes acme/slug#4 and closes ACME/Slug#5", [4, 5]],
    ["closes eve/slug#6", []],
    ["closes https://forge.example/acme/slug/issues/7", [7]],
    ["closes https://forge.example/eve/slug/issues/8", []],
    ["see #9; encloses #10; closes 11; closes#12", []],
    ["", []],
  ])("%s", (text, numbers) => {
    expect(closedNumbers(text, "acme/slug")).toEqual(numbers);
  });
});

describe("a text as it stood", () => {
  const edit = (day: number, diff: string | null, deletedAt: string | null = null) => ({
    createdAt: `2026-01-0${day}T00:00:00Z`,
    deletedAt,
    diff,
  });
  const text = (nodes: EditedText["userContentEdits"]["nodes"], more: Partial<EditedText> = {}): EditedText => ({
    body: "three",
    createdAt: "2026-01-01T00:00:00Z",
    lastEditedAt: nodes[0]?.createdAt ?? null,
    userContentEdits: { totalCount: nodes.length, nodes },
    ...more,
  });
  const whole = [edit(5, "three"), edit(3, "two"), edit(1, "one")];
  test.each<[string, EditedText, number, string | null]>([
    ["never edited", text([]), 2, "three"],
    ["not edited since", text(whole), 6, "three"],
    ["before an edit", text(whole), 4, "two"],
    ["at the moment of an edit, which is then in it", text(whole), 3, "two"],
    ["as it was written", text(whole), 2, "one"],
    ["before it was written", text(whole, { createdAt: "2026-01-09T00:00:00Z" }), 8, ""],
    [
      "[D11] a removed version",
      text([edit(5, "three"), edit(3, null, "2026-01-06T00:00:00Z"), edit(1, "one")]),
      2,
      null,
    ],
    ["[D11] versions that are not listed", text(whole, { userContentEdits: { totalCount: 4, nodes: whole } }), 4, null],
    ["[D11] a newest version that is not what stands there", text([edit(5, "other"), edit(1, "one")]), 4, null],
    ["[D11] no version from before", text([edit(5, "three"), edit(4, "two")]), 3, null],
  ])("%s", (_name, edited, day, expected) => {
    expect(textAt(edited, `2026-01-0${day}T00:00:00Z`)).toBe(expected);
  });
});
