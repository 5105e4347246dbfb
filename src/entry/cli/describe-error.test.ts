import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { TrueupError } from "../../errors.ts";
import { describeError } from "./describe-error.ts";
import { printError } from "./print-error.ts";

const system = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: it failed`), { errno: -1, code, syscall: "write", ...more });

test.each([
  [system("ENOSPC"), "disk-full", "the state or the cache directory"],
  [system("EDQUOT", { path: "/state/x" }), "disk-full", "/state/x"],
  [system("EACCES", { path: "/cache/x" }), "access-denied", "/cache/x"],
  [system("EROFS", { path: "/cache/x" }), "access-denied", "/cache/x"],
  [system("EMFILE"), "system-failed", "write"],
  [new TrueupError("git-missing"), "git-missing", undefined],
  [new TypeError("x is not a function"), "internal-error", undefined],
  [Object.assign(new Error("no call"), { code: "ERR_X" }), "internal-error", undefined],
  ["a string", "internal-error", undefined],
])("%s is said as %s of %s", (thrown, code, subject) => {
  const error = describeError(thrown);
  expect([error.code, error.subject]).toEqual([code, subject]);
});

function sink(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => (chunks.push(chunk), done()) });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
}

test.each([true, false])("a bug never looks like a verdict: exit 3 and its stack, with --json %s", async (json) => {
  const [stdout, stderr] = [sink(), sink()];
  const terminal = {
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
  };
  expect(await printError(terminal, new TypeError("x is not a function"), json)).toBe(3);
  expect(stderr.text()).toMatch(/TypeError: x is not a function\n\s+at /u);
  if (json) expect(JSON.parse(stdout.text())).toMatchObject({ error: { code: "internal-error" } });
  else expect(stderr.text()).toMatch(/^trueup: .*this is a bug in trueup.*\[internal-error\]\n {2}Nothing was judged/u);
});
