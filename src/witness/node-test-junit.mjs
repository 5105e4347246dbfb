/*
 * node's own JUnit report, written into the executor's pipe: a second witness beside `node-test-reporter.mjs`. node
 * itself would end with an error on a pipe, since it asks for what it wrote to be on disk.
 */
import fs from "node:fs";
import { junit } from "node:test/reporters";

const { openSync, writeSync } = fs;
const target = process.env.TRUEUP_REPORT;
delete process.env.TRUEUP_REPORT;

function writeAll(descriptor, text) {
  const bytes = Buffer.from(text, "utf8");
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
}

/** Loaded by node from an absolute path in a read-only mount; it prints nothing. */
export default async function* report(source) {
  const descriptor = openSync(target, "w");
  for await (const chunk of junit(source)) writeAll(descriptor, chunk);
  yield "";
}
