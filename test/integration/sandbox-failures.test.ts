import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/index.ts";
import type { Sandbox, SandboxRequest } from "../../src/ports/sandbox.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "trueup-failures-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const request: SandboxRequest = {
  phase: "test",
  argv: ["true"],
  cwd: "/",
  env: { PATH: "/usr/bin" },
  mounts: [],
  limits: { wall_ms: 60_000, idle_ms: null, memory_bytes: 268_435_456, pids: 64, output_bytes: 1000 },
  proc: "real",
};

/** A sandbox whose bubblewrap is a script of ours: what the driver makes of its words and codes. */
async function withBubblewrap(script: string, patienceMs = 30_000): Promise<Sandbox> {
  const searchPath = await mkdtemp(join(directory, "bin-"));
  await writeFile(join(searchPath, "bwrap"), `#!/bin/sh\n${script}\n`);
  await chmod(join(searchPath, "bwrap"), 0o755);
  return createBubblewrapSandbox({
    scratchDirectory: join(directory, "scratch"),
    searchPath,
    patienceMs,
    workTree: "copy",
  });
}

test("without bubblewrap every act says what is missing, and the probe how to get it", async () => {
  const sandbox = createBubblewrapSandbox({ scratchDirectory: join(directory, "scratch"), searchPath: directory });
  await expect(sandbox.run(request)).rejects.toMatchObject({ code: "sandbox-missing" });
  await expect(sandbox.openRoom({ base: directory, deltas: [], mountPoints: [], bytes: 1 })).rejects.toMatchObject({
    code: "sandbox-missing",
  });
  const { usable, report, lines } = await sandbox.probe();
  expect([usable, report.work_tree, report.features]).toEqual([false, "none", []]);
  expect(lines[0]).toMatchObject({ state: "missing", fix: "apt-get install bubblewrap" });
});

test("a relative or empty search path finds nothing: the repository cannot bring its own bubblewrap", async () => {
  const sandbox = createBubblewrapSandbox({ scratchDirectory: join(directory, "scratch"), searchPath: ":.:bin::" });
  await expect(sandbox.run(request)).rejects.toMatchObject({ code: "sandbox-missing" });
});

test.each([
  [
    "no namespace may be made",
    "echo 'bwrap: No permissions to create new namespace, likely because' >&2; exit 1",
    "sandbox-forbidden",
  ],
  [
    "the uid map may not be written",
    "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
    "sandbox-forbidden",
  ],
  ["an option is not known", "echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", "sandbox-failed"],
  ["nothing is said and nothing is started", "exit 0", "sandbox-failed"],
])("bubblewrap that fails because %s", async (_title, script, code) => {
  await expect((await withBubblewrap(script)).run(request)).rejects.toMatchObject({ code });
});

test("an exit code on the status descriptor that is not the process's own is believed by nobody", async () => {
  const script = `echo '{ "exit-code": 0 }' >&5; exit 3`;
  const result = await (await withBubblewrap(script)).run(request);
  expect([result.exit, result.status_code]).toEqual([{ code: null, error: "codes-differ", signal: null }, 0]);
});

test("a process that outlives its sandbox makes the whole result void", async () => {
  const script = `echo '{ "exit-code": 0 }' >&5; (exec sleep 20) & exit 0`;
  await expect((await withBubblewrap(script, 200)).run(request)).rejects.toMatchObject({ code: "sandbox-survivor" });
});

test("a first process that is still alive after bubblewrap makes the whole result void", async () => {
  const script = `(exec sleep 20 >/dev/null 2>&1 5>&-) & echo "{ \\"child-pid\\": $! }" >&5; sleep 0.3; echo '{ "exit-code": 0 }' >&5; exit 0`;
  await expect((await withBubblewrap(script, 200)).run(request)).rejects.toMatchObject({ code: "sandbox-survivor" });
});

test("a scratch directory that is reached through a link is used by its real path", async () => {
  const [real, link] = [await mkdtemp(join(directory, "real-")), join(directory, "link")];
  await symlink(real, link);
  const sandbox = createBubblewrapSandbox({ scratchDirectory: join(link, "s"), searchPath: process.env["PATH"] ?? "" });
  const room = await sandbox.openRoom({ base: real, deltas: [], mountPoints: ["made"], bytes: 1_048_576 });
  expect((await sandbox.run({ ...request, room, argv: ["ls", "/repo"] })).exit.code).toBe(0);
  await room.close();
});
