import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { ControlGroup } from "./control-group.ts";
import { assertDeadTree, markProcess, type DeadTreeQuestion } from "./dead-tree.ts";

const quiet: DeadTreeQuestion = {
  init: async () => null,
  group: null,
  streamsClosed: Promise.resolve(),
  patienceMs: 50,
};
const survivor = expect.objectContaining({ code: "sandbox-survivor" }) as Error;

/** A group that counts how often it was killed, for a process that will not die. */
function stubbornGroup(pids: readonly number[]): { group: ControlGroup; kills: () => number } {
  let kills = 0;
  const group: ControlGroup = {
    directories: [],
    processes: async () => pids,
    kill: async () => void (kills += 1),
    readMemory: async () => ({ kills: 0, peak: null }),
    remove: async () => undefined,
  };
  return { group, kills: () => kills };
}

test("a tree with nothing left is dead", async () => {
  await expect(assertDeadTree({ ...quiet, group: stubbornGroup([]).group })).resolves.toBeUndefined();
});

test("a first process that lives on is a survivor; once it is gone, or its number is another's, it is not", async () => {
  const child = spawn("sleep", ["60"]);
  const mark = await markProcess(child.pid ?? 0);
  await expect(assertDeadTree({ ...quiet, init: async () => mark })).rejects.toEqual(survivor);
  await assertDeadTree({ ...quiet, init: async () => ({ ...mark, started: "1" }) });
  child.kill("SIGKILL");
  await once(child, "exit");
  await assertDeadTree({ ...quiet, init: async () => mark });
});

test("a process left in the control group is a survivor, and is killed", async () => {
  const { group, kills } = stubbornGroup([1]);
  await expect(assertDeadTree({ ...quiet, group })).rejects.toEqual(survivor);
  expect(kills()).toBe(1);
});

test("a stream that something still holds open is a survivor", async () => {
  const streamsClosed = new Promise<void>(() => undefined);
  await expect(assertDeadTree({ ...quiet, streamsClosed })).rejects.toEqual(survivor);
});
