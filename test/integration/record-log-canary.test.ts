import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRecordLog } from "../../src/adapters/record-log/files/record-log.ts";
import {
  createStreamExcerpt,
  redactArgv,
  redactText,
  secretValues,
  standardRedactionRules,
  type RedactionRules,
} from "../../src/core/record/index.ts";
import { createRedactionRules } from "../../src/core/record/redaction-rules.ts";
import { makeRecord } from "../fixtures/record-builders.ts";

const random = "q7Zt0Wk3Rb9Xm2Lc";
/** What must not be found: each piece stands in a secret of its own kind. */
const canaries = {
  environment: `env canary ${random}`,
  stdout: `ghp_stdout${random}${random}`,
  stderr: `sk-stderr${random}${random}`,
  argv: `argv${random}`,
  error: `error${random}`,
  border: `border${random}${random}`,
  key: `MIIkey${random}`.padEnd(64, "Q"),
};
const rulesOf = standardRedactionRules(secretValues({ SERVICE_TOKEN: canaries.environment }));

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "trueup-canary-"));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Records one command that prints every canary, in the given rules, and names the canaries found on the disk. */
async function leaked(rules: RedactionRules): Promise<readonly string[]> {
  const directory = mkdtempSync(path.join(root, "log-"));
  const filler = "a line of output\n".repeat(5000);
  const stdout = createStreamExcerpt(rules);
  const printed = `${canaries.stdout}\n${canaries.environment}\n${filler}Bearer ${canaries.border}\n`;
  const bytes = Buffer.from(
    `${printed}-----BEGIN PRIVATE KEY-----\n${canaries.key}\n-----END PRIVATE KEY-----\nlast line\n`,
  );
  const border = bytes.indexOf(canaries.border) + 5;
  stdout.push(bytes.subarray(0, border));
  stdout.push(bytes.subarray(border));
  const stderr = createStreamExcerpt(rules);
  for (const byte of Buffer.from(`${canaries.stderr}\n`)) stderr.push(Uint8Array.of(byte));
  const {
    prev: _prev,
    digest: _digest,
    ...draft
  } = makeRecord(1, {
    argv: redactArgv(["x", "--password", canaries.argv, `--token=${canaries.argv}`], rules),
    cwd: redactText(`/srv/${canaries.environment}`, rules),
    exit_code: null,
    error: { kind: "spawn", detail: redactText(`https://me:${canaries.error}@host failed`, rules), signal: null },
    stdout: stdout.end(),
    stderr: stderr.end(),
  });
  await createRecordLog({ directory }).append(draft);
  const disk = readdirSync(directory)
    .map((name) => readFileSync(path.join(directory, name), "utf8"))
    .join("\n");
  expect(disk).toContain("last line");
  return Object.entries(canaries).flatMap(([name, canary]) => (disk.includes(canary) ? [name] : []));
}

test("[A16] no secret is on the disk: environment, both outputs, words, error, over a chunk's border, a key", async () => {
  expect(await leaked(rulesOf)).toEqual([]);
});

test("[A16] the same scan finds every one of them when nothing is redacted", async () => {
  expect(await leaked(createRedactionRules({ patterns: [], literals: [] }))).toEqual(Object.keys(canaries));
});
