import { expect, test } from "vitest";
import { digestChange } from "./change-digest.ts";
import type { RawChange } from "./decode-changes.ts";
import { decodePatch } from "./decode-patch.ts";

const ids = { old: "1".repeat(40), new: "2".repeat(40), none: "0".repeat(40) };
const modified: RawChange = {
  path: "src/a.ts",
  status: "M",
  old_mode: "100644",
  new_mode: "100644",
  old_id: ids.old,
  new_id: ids.new,
  added: 1,
  deleted: 1,
};

interface Shape {
  readonly at?: number;
  readonly after?: string;
  readonly line?: string;
  readonly index?: string;
}

const patchOf = ({ at = 1, after = "", line = "three", index = `${ids.old}..${ids.new}` }: Shape = {}): Buffer =>
  Buffer.from(
    `diff --git a/src/a.ts b/src/a.ts\nindex ${index} 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -${at},2 +${at},2 @@${after}\n one\n-two\n+${line}\n`,
  );

const digest = (patch: Buffer, more: { changes?: readonly RawChange[]; binaries?: readonly string[] } = {}) => {
  const decoded = decodePatch(patch);
  if (!decoded.ok) return decoded;
  return digestChange({
    changes: more.changes ?? [modified],
    sections: decoded.value,
    binaries: new Set(more.binaries ?? []),
  });
};
const valueOf = (result: ReturnType<typeof digest>) => {
  if (!result.ok) throw new Error(result.problem);
  return result.value as { change_digest: string; same_edit_key: string };
};
const plain = valueOf(digest(patchOf()));

test("[G6] golden vector: a one-line change has this digest and this key, for ever", () => {
  expect(plain).toMatchInlineSnapshot(`
    {
      "change_digest": "sha256:c5df2db78eae42b18babb799b3150b01a7bc4baa0758e8538eb194284b12b671",
      "same_edit_key": "sha256:0bc45ad4a88c1ebb9cd2c188fa1e06d48b144b21b236765a2a57e234f3832bb4",
    }
  `);
});

test("[G6] golden vector: a binary has this digest and this key, for ever", () => {
  expect(valueOf(digest(patchOf(), { binaries: ["src/a.ts"] }))).toMatchInlineSnapshot(`
    {
      "change_digest": "sha256:42414101f81a0dbc1dda87a0c3b3de7d361ce1ab9de8b45632269f0ceba93626",
      "same_edit_key": "sha256:2711de155ffffde35ab064c41e003cfc4c04d1b30306d587cdda7dbac959079c",
    }
  `);
});

test("[G1] text after the second @@ comes from the old file and drifts: it does not count", () => {
  expect(valueOf(digest(patchOf({ after: " function slugify() {" })))).toEqual(plain);
});

test("[G2] blob ids of text do not count: the same edit on another base is the same branch", () => {
  const [a, b] = ["3".repeat(40), "4".repeat(40)];
  const moved = { changes: [{ ...modified, old_id: a, new_id: b }] };
  expect(valueOf(digest(patchOf({ index: `${a}..${b}` }), moved))).toEqual(plain);
});

test("[G2] an edit whose lines moved keeps its same-edit key and gets another digest", () => {
  const moved = valueOf(digest(patchOf({ at: 40 })));
  expect(moved.same_edit_key).toBe(plain.same_edit_key);
  expect(moved.change_digest).not.toBe(plain.change_digest);
});

test("[G6] different binaries have different digests although their index lines are dropped", () => {
  const other = { changes: [{ ...modified, new_id: "5".repeat(40) }], binaries: ["src/a.ts"] };
  const changed = valueOf(digest(patchOf({ index: `${ids.old}..${"5".repeat(40)}` }), other));
  expect(changed.same_edit_key).not.toBe(valueOf(digest(patchOf(), { binaries: ["src/a.ts"] })).same_edit_key);
});

test.each([
  ["another line", patchOf({ line: "four" }), [modified]],
  ["another path", patchOf(), [{ ...modified, path: "src/b.ts" }]],
  ["another mode", patchOf(), [{ ...modified, new_mode: "100755" }]],
])("[G1] %s is another change", (_, patch, changes) => {
  expect(valueOf(digest(patch, { changes })).same_edit_key).not.toBe(plain.same_edit_key);
});

test.each([
  ["a file is missing from the patch", Buffer.alloc(0), [modified]],
  ["the patch has a file more", Buffer.concat([patchOf(), patchOf()]), [modified]],
  ["the patch is of other blobs", patchOf({ index: `${ids.old}..${ids.old}` }), [modified]],
  ["numstat counted more lines than the patch has", patchOf(), [{ ...modified, added: 2 }]],
])("[H10] no digest when %s", (_, patch, changes) => {
  expect(digest(patch, { changes }).ok).toBe(false);
});

test("[H10] a patch cut anywhere gives no digest", () => {
  const bytes = patchOf();
  for (let length = 0; length < bytes.length; length++) expect(digest(bytes.subarray(0, length)).ok).toBe(false);
});

test("content that looks like a patch stays content", () => {
  const text = "diff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n--- a\n+++ b";
  const body = text
    .split("\n")
    .map((line) => `+${line}\n`)
    .join("");
  const patch = Buffer.from(
    `diff --git a/n b/n\nnew file mode 100644\nindex ${ids.none}..${ids.new}\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,5 @@\n${body}\\ No newline at end of file\n`,
  );
  const added: RawChange = {
    path: "n",
    status: "A",
    old_mode: "000000",
    new_mode: "100644",
    old_id: ids.none,
    new_id: ids.new,
    added: 5,
    deleted: 0,
  };
  const decoded = decodePatch(patch);
  expect(decoded.ok && decoded.value.map((section) => section.hunks.length)).toEqual([1]);
  expect(digest(patch, { changes: [added] }).ok).toBe(true);
});
