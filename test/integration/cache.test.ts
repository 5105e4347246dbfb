import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCacheHolds } from "../../src/adapters/cache/files/cache-holds.ts";
import { createCacheKeeper } from "../../src/adapters/cache/files/cache-keeper.ts";
import type { CacheArea, CacheEntry } from "../../src/core/cache/index.ts";
import { openPipeline } from "./pipeline-stage.ts";

let cache: string;
let children: ChildProcess[];
beforeEach(() => {
  cache = mkdtempSync(path.join(tmpdir(), "trueup-cache-"));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(cache, { recursive: true, force: true });
});

const nameOf = (digit: string): string => digit.repeat(64);

/** An entry of so many kilobytes, used so many seconds ago. */
function put(area: CacheArea, name: string, kilobytes: number, ago = 0): void {
  const place = path.join(cache, area, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, "file"), Buffer.alloc(kilobytes * 1024));
  const then = Date.now() / 1000 - ago;
  utimesSync(place, then, then);
}

/** A process that holds an entry until it is killed. */
async function startHolder(area: CacheArea, name: string): Promise<ChildProcess> {
  const file = path.resolve(import.meta.dirname, "../../src/adapters/cache/files/cache-holds.ts");
  const script = `const { createCacheHolds } = await import(${JSON.stringify(pathToFileURL(file).href)});
await createCacheHolds(${JSON.stringify(cache)}).hold(${JSON.stringify(area)}, ${JSON.stringify(name)});
console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

const left = (area: CacheArea): readonly string[] => readdirSync(path.join(cache, area)).toSorted();
const find = (entries: readonly CacheEntry[], name: string): CacheEntry | undefined =>
  entries.find((entry) => entry.name === name);

test("an entry that a living process holds is never removed; a killed one's hold is worth nothing", async () => {
  put("dependencies", nameOf("a"), 8);
  put("dependencies", nameOf("b"), 8);
  const keeper = createCacheKeeper(cache);
  const before = await keeper.list();
  const holder = await startHolder("dependencies", nameOf("a"));
  const entries = await keeper.list();
  expect(entries.map(({ name, held }) => `${name[0] ?? ""} ${String(held)}`).toSorted()).toEqual(["a true", "b false"]);
  // Also one that was free when it was looked at.
  expect(
    await Promise.all(before.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((entry) => keeper.remove(entry))),
  ).toEqual(["held", "removed"]);
  expect(left("dependencies")).toEqual([nameOf("a")]);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const [again] = await keeper.list();
  expect(again?.held).toBe(false);
  if (again !== undefined) expect(await keeper.remove(again)).toBe("removed");
  expect(left("dependencies")).toEqual([]);
});

test("whoever holds first wins over a removal, and whoever comes second waits for it", async () => {
  const holds = createCacheHolds(cache);
  const keeper = createCacheKeeper(cache);
  for (let round = 0; round < 20; round += 1) {
    put("bases", nameOf("c"), 1);
    const [entry] = (await keeper.list()).filter(({ area }) => area === "bases");
    if (entry === undefined) throw new Error("it is not listed");
    const holding = holds.hold("bases", nameOf("c")).then((release) => ({
      release,
      there: existsSync(path.join(cache, "bases", nameOf("c"), "file")),
    }));
    const [{ release, there }, outcome] = await Promise.all([holding, keeper.remove(entry)]);
    // Held and there, or gone before the holder looked: never gone under it.
    expect(existsSync(path.join(cache, "bases", nameOf("c")))).toBe(there);
    expect(outcome === "held" || !there).toBe(true);
    await release();
  }
});

test("status and clean: sizes, least recently used first, locks and drafts left alone, what was half removed goes", async () => {
  put("dependencies", nameOf("a"), 100, 300);
  put("bases", "b".repeat(40), 100, 200);
  put("mirrors", `${nameOf("c")}.git`, 100, 100);
  mkdirSync(path.join(cache, "dependencies", ".gone-x"));
  writeFileSync(path.join(cache, "mirrors", `${nameOf("c")}.lock`), "x");
  using stage = openPipeline({ a: "" });
  const run = (...argv: readonly string[]) => stage.run(stage.home, ["cache", ...argv], { TRUEUP_CACHE: cache });
  const status = await run("status", "--json");
  expect(status.exit).toBe(0);
  expect(status.answer["bytes"]).toBeGreaterThanOrEqual(300 * 1024);
  expect(existsSync(path.join(cache, "dependencies", ".gone-x"))).toBe(false);
  const dry = await run("clean", "--max-bytes", "250K", "--dry-run", "--json");
  const removed = dry.answer["removed"] as readonly CacheEntry[];
  expect(removed.map(({ area }) => area)).toEqual(["dependencies"]);
  await createCacheHolds(cache).hold("bases", "b".repeat(40));
  const clean = await run("clean", "--all");
  expect([clean.exit, clean.stdout]).toEqual([
    0,
    expect.stringMatching(/Removed 2 entries.*\n[^]*1 stay because a running command uses them/u),
  ]);
  expect([left("dependencies"), left("bases"), left("mirrors")]).toEqual([
    [],
    ["b".repeat(40)],
    [`${nameOf("c")}.lock`],
  ]);
  expect((await run("clean", "--max-bytes", "much")).exit).toBe(2);
});

test("use makes an entry young again", async () => {
  put("bases", "a".repeat(40), 1, 300);
  put("bases", "b".repeat(40), 1, 200);
  const release = await createCacheHolds(cache).hold("bases", "a".repeat(40));
  await release();
  const entries = await createCacheKeeper(cache).list();
  const [old, young] = [find(entries, "b".repeat(40)), find(entries, "a".repeat(40))];
  expect(old?.used_at_ms).toBeLessThan(young?.used_at_ms ?? 0);
});
