import { expect, test } from "vitest";
import { decideExit, type RunEnding } from "./decide-exit.ts";

const plain: RunEnding = { cause: null, code: 0, signal: null, statusCode: 0, memoryKills: 0, stderr: "" };
const exit = (code: number | null, error: string | null = null, signal: string | null = null): unknown => ({
  kind: "exit",
  exit: { code, error, signal },
});

const cases: readonly (readonly [string, Partial<RunEnding>, unknown])[] = [
  ["both codes agree", {}, exit(0)],
  ["both codes agree on a failure", { code: 7, statusCode: 7 }, exit(7)],
  ["the codes differ", { code: 0, statusCode: 1 }, exit(null, "codes-differ")],
  ["the process says 1, the status 0", { code: 1, statusCode: 0 }, exit(null, "codes-differ")],
  [
    "a time limit cut it",
    { cause: "timeout", code: null, signal: "SIGKILL", statusCode: null },
    exit(null, "timeout", "SIGKILL"),
  ],
  ["a time limit cut it as it ended with 0", { cause: "timeout" }, exit(null, "timeout")],
  ["the kernel killed for memory and the program hid it", { memoryKills: 1 }, exit(null, "memory")],
  ["a time limit came before the memory kill", { cause: "idle", memoryKills: 1 }, exit(null, "idle")],
  [
    "bubblewrap itself was killed",
    { code: null, signal: "SIGKILL", statusCode: null },
    exit(null, "signal", "SIGKILL"),
  ],
  [
    "bubblewrap was killed after the program said 0",
    { code: null, signal: "SIGKILL" },
    exit(null, "signal", "SIGKILL"),
  ],
  [
    "the program does not exist",
    { code: 1, statusCode: null, stderr: "bwrap: execvp nope: No such file or directory\n" },
    exit(null, "not-found"),
  ],
  [
    "the program is not executable",
    { code: 1, statusCode: null, stderr: "bwrap: execvp /repo/x: Permission denied\n" },
    exit(null, "not-executable"),
  ],
  [
    "a program prints bubblewrap's words and ends with 1",
    { code: 1, statusCode: 1, stderr: "bwrap: execvp nope: No such file or directory\n" },
    exit(1),
  ],
  [
    "no namespace may be made",
    { code: 1, statusCode: null, stderr: "bwrap: No permissions to create new namespace, likely because...\n" },
    {
      kind: "not-started",
      reason: "forbidden",
      detail: "bwrap: No permissions to create new namespace, likely because...",
    },
  ],
  [
    "the uid map may not be written",
    { code: 1, statusCode: null, stderr: "bwrap: setting up uid map: Permission denied\n" },
    { kind: "not-started", reason: "forbidden", detail: "bwrap: setting up uid map: Permission denied" },
  ],
  [
    "a mount fails",
    { code: 1, statusCode: null, stderr: "bwrap: Can't find source path /x: No such file or directory\n" },
    { kind: "not-started", reason: "failed", detail: "bwrap: Can't find source path /x: No such file or directory" },
  ],
  [
    "the wrapper gives up without words",
    { code: 96, statusCode: null },
    { kind: "not-started", reason: "failed", detail: "bubblewrap ended with 96 and no words" },
  ],
];

test.each(cases)("%s", (_title, ending, expected) => {
  expect(decideExit({ ...plain, ...ending })).toEqual(expected);
});
