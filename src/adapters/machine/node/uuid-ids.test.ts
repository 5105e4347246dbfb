import { describe, expect, test } from "vitest";
import { formatUuidV7 } from "../../../core/uuid-v7.ts";
import { createUuidIds } from "./uuid-ids.ts";

describe("createUuidIds", () => {
  test("lays out the standard's example", () => {
    const random = Uint8Array.from([0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
    expect(formatUuidV7(0x017f22e279b0, 0xcc3, random)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  });

  test.each([
    { name: "a clock that stands still", times: () => 1_700_000_000_000 },
    { name: "a clock that steps back", times: (n: number) => 1_700_000_000_000 - n },
    { name: "a clock that jumps about", times: (n: number) => 1_700_000_000_000 + (n % 7) * 1000 },
  ])("identifiers sort in the order they were made, with $name", ({ times }) => {
    let calls = 0;
    const ids = createUuidIds({ now: () => times((calls += 1)) });
    const made = Array.from({ length: 10_000 }, () => ids.next());
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });
});
