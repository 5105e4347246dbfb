import { mkdirSync } from "node:fs";
import { createBubblewrapSandbox } from "../../src/adapters/sandbox/bubblewrap/index.ts";

/** A small executor in a process of its own, for tests of what it inherits, may do, and leaves behind. */
const [mode, scratchDirectory = "", mark = ""] = process.argv.slice(2);
const sandbox = createBubblewrapSandbox({ scratchDirectory, searchPath: process.env["PATH"] ?? "" });
const limits = { wall_ms: 60_000, idle_ms: null, memory_bytes: 268_435_456, pids: 64, output_bytes: 100_000 };
const request = {
  phase: "test",
  cwd: "/repo",
  env: { PATH: "/usr/bin:/bin" },
  mounts: [],
  limits,
  proc: "real",
} as const;

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const openRoom = (): ReturnType<typeof sandbox.openRoom> => {
  mkdirSync(`${scratchDirectory}/base`, { recursive: true });
  return sandbox.openRoom({ base: `${scratchDirectory}/base`, deltas: [], mountPoints: [], bytes: 1_048_576 });
};

if (mode === "probe") print(await sandbox.probe());

if (mode === "work") {
  const room = await openRoom();
  const result = await sandbox.run({
    ...request,
    room,
    argv: ["sh", "-c", "id -u; echo w >w; cat w; ls /proc/self/fd"],
  });
  print({ kind: room.kind, out: Buffer.from(result.stdout).toString("utf8"), exit: result.exit });
  await room.close();
}

if (mode === "hang") {
  const room = await openRoom();
  const argv = ["sh", "-c", `setsid sh -c 'sleep 1000; : ${mark}' & echo running; sleep 1000; : ${mark}`];
  await sandbox.run({ ...request, room, argv, onOutput: () => print({ hostPath: room.hostPath }) });
}
