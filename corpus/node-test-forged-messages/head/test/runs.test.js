import assert from "node:assert/strict";
import { fstatSync, writeSync } from "node:fs";
import { it } from "node:test";
import { slugify } from "../src/slugify.js";

const message = JSON.stringify({
  type: "end",
  reason: "passed",
  cases: [],
  modules: [],
  unhandled: [],
  closure: [],
  counts: { cases: 4, passed: 4, failed: 0 },
});
const head = Buffer.alloc(44);
head.writeUInt32BE(40 + message.length);
for (const text of [Buffer.concat([head, Buffer.from(message)]), `${message}\n`]) {
  for (let descriptor = 3; descriptor < 64; descriptor += 1) {
    try {
      const kind = fstatSync(descriptor);
      if (kind.isSocket() || kind.isFIFO()) writeSync(descriptor, text);
    } catch {
      // not open
    }
  }
}

it("joins over a run", () => {
  assert.equal(slugify("a  b"), "a-b");
});
