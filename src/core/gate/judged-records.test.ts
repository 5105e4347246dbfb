import { describe, expect, test } from "vitest";
import { makeRecord } from "../../../test/fixtures/record-builders.ts";
import { chainOf } from "./judged-records.ts";

/** `b<a` is record `b`, a retry of `a`. */
function chains(links: string): Record<string, string> {
  const records = links.split(" ").map((link, order) => {
    const [command_id = "", parent = null] = link.split("<");
    return makeRecord(order, { command_id, parent_command_id: parent });
  });
  return Object.fromEntries(chainOf(records));
}

describe("chainOf", () => {
  test.each([
    ["a record alone is its own chain", "a", { a: "a" }],
    ["retries of retries are one chain", "a b<a c<b", { a: "a", b: "a", c: "a" }],
    ["whatever their order", "c<b b<a a", { a: "a", b: "a", c: "a" }],
    ["two retries of one record are one chain", "a b<a c<a", { a: "a", b: "a", c: "a" }],
    ["a parent that is not there begins a chain", "b<gone c<b", { b: "b", c: "b" }],
    ["a record that names itself is alone", "a<a", { a: "a" }],
    ["in a loop each has the one before it", "a<b b<a", { a: "b", b: "a" }],
    ["a longer loop, entered anywhere", "b<c c<a a<b", { b: "a", c: "b", a: "c" }],
    ["what hangs on a loop is with the one it hangs on", "x<a a<b b<a", { x: "b", a: "b", b: "a" }],
    ["also when the loop is known already", "a<b b<a x<a y<x", { a: "b", b: "a", x: "b", y: "b" }],
  ])("%s", (_name, links, expected) => {
    expect(chains(links)).toEqual(expected);
  });

  test("a chain of a hundred thousand retries is walked once", () => {
    const length = 100_000;
    const links = Array.from({ length }, (_, at) => (at === 0 ? "0" : `${at}<${at - 1}`)).join(" ");
    expect(new Set(Object.values(chains(links)))).toEqual(new Set(["0"]));
  });
});
