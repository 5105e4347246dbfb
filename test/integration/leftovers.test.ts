import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openOwnedRoom, sweepDeadRooms } from "../../src/adapters/workspaces/layers/owned-rooms.ts";

let home: string;
let children: ChildProcess[];

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "trueup-leftovers-"));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
});

/** Starts a process that does `act` with the exports of a source file, and then waits to be killed. */
async function startHolder(source: string, act: string): Promise<ChildProcess> {
  const file = pathToFileURL(path.resolve(import.meta.dirname, "../../src/adapters", source)).href;
  const script = `const held = await import(${JSON.stringify(file)}); ${act}; console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("rooms of executors that were killed", () => {
  const holdRoom = (): Promise<ChildProcess> =>
    startHolder("workspaces/layers/owned-rooms.ts", `await held.openOwnedRoom(${JSON.stringify(home)})`);

  test("a room is left alone while its owner lives, and swept by the next start after a SIGKILL, also by several at once", async () => {
    const own = await openOwnedRoom(home);
    const holder = await holdRoom();
    await sweepDeadRooms(home);
    expect(readdirSync(home)).toHaveLength(2);
    for (const name of readdirSync(home)) {
      mkdirSync(path.join(home, name, "delta", "deep"), { recursive: true });
      writeFileSync(path.join(home, name, "delta", "deep", "file"), "left");
    }
    await kill(holder);
    await Promise.all([sweepDeadRooms(home), sweepDeadRooms(home), sweepDeadRooms(home)]);
    expect(readdirSync(home)).toEqual([path.basename(own)]);
    expect(existsSync(path.join(own, "delta", "deep", "file"))).toBe(true);
  });

  test("a sweep that was killed half way is finished; a room of another boot is dead; what says no owner, or one out of sight, stays", async () => {
    const own = path.basename(await openOwnedRoom(home));
    const [, machine = "", boot = ""] = own.split("-");
    const elsewhere = own.replace(machine, "0".repeat(16));
    renameSync(path.join(home, own), path.join(home, own.replace(boot, "0".repeat(16))));
    for (const name of [elsewhere, "room-abc", "other"]) mkdirSync(path.join(home, name));
    mkdirSync(path.join(home, "removed-0123", "delta"), { recursive: true });
    await sweepDeadRooms(home);
    expect(readdirSync(home).toSorted()).toEqual([elsewhere, "room-abc", "other"].toSorted());
  });
});
