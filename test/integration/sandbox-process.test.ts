import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, copyFile, cp, lstat, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findProcesses } from "../port-contract/sandbox-stage.ts";

const repository = join(import.meta.dirname, "../..");
/** What the small executor needs, copied to where any user may read it. */
const sources = [
  "src/adapters/sandbox",
  "src/errors.ts",
  "src/error-table.ts",
  "src/error-table-person.ts",
  "src/error-table-repository.ts",
  "src/core/facts",
  "src/ports",
  "test/integration/sandbox-child.ts",
];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "trueup-executor-"));
  await chmod(directory, 0o755);
  for (const path of sources) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await cp(join(repository, path), join(directory, path), { recursive: true });
  }
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  await copyFile(process.execPath, join(directory, "node"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

interface ChildOptions {
  readonly before?: readonly string[];
  readonly uid?: number;
  readonly stdio?: readonly ("ignore" | "pipe" | number)[];
  readonly mark?: string;
}

async function startChild(mode: string, options: ChildOptions = {}): Promise<ReturnType<typeof spawn>> {
  const scratch = await mkdtemp(join(directory, "scratch-"));
  if (options.uid !== undefined) await chmod(scratch, 0o777);
  const program = [join(directory, "node"), join(directory, "test/integration/sandbox-child.ts")];
  const argv = [...(options.before ?? []), ...program, mode, join(scratch, "s"), options.mark ?? ""];
  const user = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  const stdio = [...(options.stdio ?? ["ignore", "pipe", "pipe"])];
  return spawn(argv[0] ?? "", argv.slice(1), { stdio, cwd: "/", ...user });
}

async function answerOf(mode: string, options: ChildOptions = {}): Promise<unknown> {
  const child = await startChild(mode, options);
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (text: string) => void (texts[stream] += text));
  }
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`the executor ended with ${code}: ${texts.stderr}`);
  return JSON.parse(texts.stdout);
}

test("a descriptor that the executor inherited from its caller, low or high, is not open inside", async () => {
  const file = await open("/etc/passwd", "r");
  const stdio: ("ignore" | "pipe" | number)[] = ["ignore", "pipe", "pipe"];
  for (const number of [7, 9, 10, 63, 251]) {
    while (stdio.length < number) stdio.push("ignore");
    stdio[number] = file.fd;
  }
  const answer = await answerOf("work", { stdio });
  await file.close();
  expect(answer).toMatchObject({ out: "1000\nw\n0\n1\n2\n3\n", exit: { code: 0, error: null } });
});

test("an ordinary user has the same sandbox: every attack is held", async () => {
  // As root the executor becomes nobody; otherwise the user that runs the tests is the ordinary one.
  const options = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const probe = (await answerOf("probe", options)) as { usable: boolean; report: { features: { state: string }[] } };
  expect(probe.usable).toBe(true);
  expect(probe.report.features.filter((each) => each.state === "failed")).toEqual([]);
  expect(await answerOf("work", options)).toMatchObject({
    kind: expect.stringMatching(/^(?:overlay-user|copy)$/u),
    out: "1000\nw\n0\n1\n2\n3\n",
    exit: { code: 0 },
  });
});

test("where user namespaces are forbidden the probe says so, with the line that mends it", async () => {
  const before = [
    "unshare",
    "--user",
    "--map-root-user",
    "sh",
    "-c",
    'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
    "sh",
  ];
  const options = process.getuid?.() === 0 ? { before, uid: 65_534 } : { before };
  const probe = (await answerOf("probe", options)) as {
    usable: boolean;
    lines: { name: string; fix: string | null }[];
  };
  expect(probe.usable).toBe(false);
  expect(probe.lines).toContainEqual(
    expect.objectContaining({
      name: "user namespaces",
      state: "missing",
      fix: "sudo sysctl -w user.max_user_namespaces=15000",
    }),
  );
});

test("an executor killed in the middle of a run leaves no process, no mount and no room", async () => {
  const mark = randomUUID();
  const child = await startChild("hang", { mark });
  const [first] = (await once(child.stdout ?? child, "data")) as [Buffer];
  const { hostPath } = JSON.parse(first.toString("utf8")) as { hostPath: string };
  expect((await lstat(hostPath)).isDirectory()).toBe(true);
  expect((await findProcesses(mark)).length).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await vi.waitFor(async () => expect(await findProcesses(mark)).toEqual([]), { timeout: 30_000 });
  await vi.waitFor(() => expect(lstat(hostPath)).rejects.toThrow(), { timeout: 30_000 });
  expect(await readFile("/proc/self/mounts", "utf8")).not.toContain(directory);
});
