import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStatCacheWatch } from "../../src/adapters/tree-watch/stat-cache/stat-cache-watch.ts";

/** Long enough after every stamp in these tests that the cache may trust them. */
const later = (): number => Date.now() + 3_600_000;

describe("the fingerprint of a work tree from its stats", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), "trueup-watch-"));
    mkdirSync(path.join(root, "tree", "src"), { recursive: true });
    writeFileSync(path.join(root, "tracked"), "src/a.ts\0dist/kept.js\0");
    writeFileSync(path.join(root, "tree", "src", "a.ts"), "one\n");
    writeFileSync(path.join(root, "tree", ".gitignore"), "dist/\n*.log\n!keep.log\n");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const inTree = (name: string): string => path.join(root, "tree", name);
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(inTree(name)), { recursive: true });
    writeFileSync(inTree(name), text);
  };
  const look = (now: () => number = later): Promise<string | null> =>
    createStatCacheWatch({
      root: path.join(root, "tree"),
      cacheFile: path.join(root, "cache"),
      trackedFile: path.join(root, "tracked"),
      now,
    }).fingerprint();

  test.each([
    { name: "an edit", act: () => put("src/a.ts", "two\n") },
    { name: "a new file", act: () => put("src/b.ts", "") },
    { name: "a file that goes", act: () => unlinkSync(inTree("src/a.ts")) },
    { name: "a rename", act: () => renameSync(inTree("src/a.ts"), inTree("src/c.ts")) },
    { name: "a mode", act: () => chmodSync(inTree("src/a.ts"), 0o755) },
    { name: "a symlink", act: () => symlinkSync("a.ts", inTree("src/link")) },
    { name: "an ignored file that base tracks", act: () => put("dist/kept.js", "x") },
    { name: "a file that is ignored no more", act: () => put("keep.log", "x") },
    { name: "the ignore file", act: () => put(".gitignore", "dist/\n") },
    {
      name: "a name that is not UTF-8",
      act: () => writeFileSync(Buffer.concat([Buffer.from(inTree("x")), Buffer.from([0xff])]), ""),
    },
  ])("$name changes it", async ({ act }) => {
    const before = await look();
    act();
    const after = await look();
    expect(after).toMatch(/^sha256:[0-9a-f]{64}$/u);
    expect(after).not.toBe(before);
  });

  test.each([
    { name: "an ignored file", act: () => put("x.log", "x") },
    { name: "a file in an ignored directory", act: () => put("dist/new.js", "x") },
    { name: "a touched file", act: () => utimesSync(inTree("src/a.ts"), new Date(0), new Date(0)) },
    { name: "what git keeps", act: () => put(".git/index", "x") },
    { name: "an empty directory", act: () => mkdirSync(inTree("empty")) },
    {
      name: "the same bytes in a new file",
      act: () => (put("t", "one\n"), renameSync(inTree("t"), inTree("src/a.ts"))),
    },
  ])("$name does not change it", async ({ act }) => {
    const before = await look();
    act();
    expect(await look()).toBe(before);
  });

  test("an edit with size and times put back is seen", async () => {
    const stamp = new Date("2020-01-01T00:00:00Z");
    utimesSync(inTree("src/a.ts"), stamp, stamp);
    const before = await look();
    writeFileSync(inTree("src/a.ts"), "two\n");
    utimesSync(inTree("src/a.ts"), stamp, stamp);
    expect(await look()).not.toBe(before);
  });

  test("a file stamped a moment ago or in the future is read again each time: its next edit may leave the same stamp", async () => {
    const isKept = (): boolean => readFileSync(path.join(root, "cache"), "latin1").includes("src/a.ts");
    await look(() => Date.now());
    expect(existsSync(path.join(root, "cache"))).toBe(false);
    await look(later);
    expect(isKept()).toBe(true);
    utimesSync(inTree("src/a.ts"), new Date("2090-01-01"), new Date("2090-01-01"));
    await look(later);
    expect(isKept()).toBe(false);
  });

  test("a cache of anything else is not believed", async () => {
    const before = await look();
    writeFileSync(path.join(root, "cache"), "rubbish");
    expect(await look()).toBe(before);
  });

  test("a fifo is named, not opened; a file that cannot be read has no fingerprint", async () => {
    const before = await look();
    execFileSync("mkfifo", [inTree("pipe")]);
    const withPipe = await look();
    expect(withPipe).not.toBe(before);
    expect(withPipe).not.toBeNull();
    rmSync(path.join(root, "tracked"));
    put("dist/x", "");
    expect(await look()).toBeNull();
  });
});
