import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeChanges, encodeChanges, type RawChange } from "./decode-changes.ts";

const differ = { idLength: 40, differ: true } as const;
const id = fc.stringMatching(/^[0-9a-f]{40}$/u);
const mode = fc.constantFrom("100644", "100755", "120000", "160000");
const path = fc
  .array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes).replace(/^\//u, "x"));
const change: fc.Arbitrary<RawChange> = fc
  .record({
    path,
    status: fc.constantFrom("A", "D", "M", "T"),
    old_mode: mode,
    new_mode: mode,
    old_id: id,
    new_id: id,
    added: fc.nat(),
    deleted: fc.nat(),
  })
  .map((some) => ({
    ...some,
    old_mode: some.status === "A" ? "000000" : some.old_mode,
    new_mode: some.status === "D" ? "000000" : some.new_mode,
  }));
const changes = fc
  .uniqueArray(change, { selector: (some) => some.path, minLength: 1, maxLength: 5 })
  .map((list) => list.toSorted((a, b) => (a.path < b.path ? -1 : 1)));

test("[E2] what is encoded is decoded, whatever bytes the names hold", () => {
  fc.assert(
    fc.property(changes, (list) => {
      expect(decodeChanges(encodeChanges(list), differ)).toEqual({ ok: true, value: list });
    }),
  );
});

test("[H10] a transport that eats any one NUL makes an error, never a smaller number", () => {
  fc.assert(
    fc.property(changes, (list) => {
      const bytes = encodeChanges(list);
      for (let at = 0; at < bytes.length; at++) {
        if (bytes[at] !== 0) continue;
        const eaten = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
        expect(decodeChanges(eaten, differ).ok).toBe(false);
      }
    }),
  );
});

test("[H10] a transport that eats every NUL makes an error", () => {
  fc.assert(
    fc.property(changes, (list) => {
      expect(
        decodeChanges(
          encodeChanges(list).filter((byte) => byte !== 0),
          differ,
        ).ok,
      ).toBe(false);
    }),
  );
});

test("[H10] an output cut anywhere is an error, also when nothing is left of it", () => {
  fc.assert(
    fc.property(changes, (list) => {
      const bytes = encodeChanges(list);
      for (let length = 0; length < bytes.length; length++)
        expect(decodeChanges(bytes.subarray(0, length), differ).ok).toBe(false);
    }),
    { numRuns: 30 },
  );
});

const one: RawChange = {
  path: "a",
  status: "M",
  old_mode: "100644",
  new_mode: "100644",
  old_id: "1".repeat(40),
  new_id: "2".repeat(40),
  added: 3,
  deleted: 1,
};
const raw = `:100644 100644 ${one.old_id} ${one.new_id} M\0a\0`;

test.each([
  ["counts git could not make (`-`)", `${raw}-\t-\ta\0`],
  ["a negative count", `${raw}-3\t1\ta\0`],
  ["a fraction", `${raw}3.5\t1\ta\0`],
  ["a number too long to be exact", `${raw}99999999999999999999\t1\ta\0`],
  ["another path in numstat", `${raw}3\t1\tb\0`],
  ["numstat alone", "3\t1\ta\0"],
  ["raw alone", raw],
  ["abbreviated ids", ":100644 100644 1111111 2222222 M\0a\x003\t1\ta\0"],
  ["a rename", `:100644 100644 ${one.old_id} ${one.new_id} R100\0a\x003\t1\ta\0`],
  ["an unmerged path", `:100644 100644 ${one.old_id} ${one.new_id} U\0a\x003\t1\ta\0`],
  ["a creation that had a mode before", `:100644 100644 ${one.old_id} ${one.new_id} A\0a\x003\t1\ta\0`],
  ["an absolute path", `:100644 100644 ${one.old_id} ${one.new_id} M\0/a\x003\t1\t/a\0`],
])("[E2] %s is refused", (_, text) => {
  expect(decodeChanges(Buffer.from(text, "latin1"), differ).ok).toBe(false);
});

test("[E2] paths out of order or twice are refused", () => {
  expect(decodeChanges(encodeChanges([{ ...one, path: "b" }, one]), differ).ok).toBe(false);
  expect(decodeChanges(encodeChanges([one, one]), differ).ok).toBe(false);
});

test("equal trees have an empty listing and nothing else", () => {
  expect(decodeChanges(new Uint8Array(), { idLength: 40, differ: false })).toEqual({ ok: true, value: [] });
  expect(decodeChanges(encodeChanges([one]), { idLength: 40, differ: false }).ok).toBe(false);
});
