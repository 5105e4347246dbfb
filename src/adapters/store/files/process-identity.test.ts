import { describe, expect, test } from "vitest";
import { parseStartTime } from "./process-identity.ts";

const rest = (state: string) => `${state} 1 2 2 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 11`;

describe("parseStartTime", () => {
  test.each([
    { name: "an ordinary process", stat: `42 (node) ${rest("S")}`, started: "987654" },
    { name: "a name with spaces and parentheses", stat: `42 (a) S 1 (b) ${rest("R")}`, started: "987654" },
    { name: "a process that only waits to be reaped", stat: `42 (node) ${rest("Z")}`, started: null },
    { name: "a dead process", stat: `42 (node) ${rest("X")}`, started: null },
    { name: "a cut line", stat: "42 (node) S 1", started: null },
  ])("$name", ({ stat, started }) => {
    expect(parseStartTime(stat)).toBe(started);
  });
});
