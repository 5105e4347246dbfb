import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runnerFiles } from "../../tools/runner-template.ts";
import { copyTree } from "../../tools/rows/tree-copy.ts";
import { testRunners } from "../../src/runners/index.ts";

const root = path.resolve(import.meta.dirname, "../..");
const runners = path.join(root, "src", "runners");

/** What every runner's folder has, as the generator makes it. */
const missing = (name: string): readonly string[] =>
  Object.keys(runnerFiles(name)).filter((file) => {
    const place = path.join(runners, name, file.endsWith(".gitkeep") ? path.dirname(file) : file);
    return !existsSync(place);
  });

test.each(testRunners.map((runner) => runner.name))("the folder of %s is equal to those that are made", (name) => {
  expect(missing(name)).toEqual([]);
  expect(readdirSync(path.join(runners, name, "samples"))).not.toEqual([]);
});

test("a folder that lacks a part turns the guard red", () => {
  expect(missing("no-such-runner")).toEqual(Object.keys(runnerFiles("no-such-runner")));
});

test("a new runner type-checks, is not believed, and is made once", () => {
  using tree = copyTree(root);
  const make = (name: string) =>
    spawnSync(process.execPath, [path.join(root, "tools", "new-runner.ts"), name, "--root", tree.copy], {
      encoding: "utf8",
    });
  expect(make("odd-one").status).toBe(0);
  const files = ["odd-one", "launch", "conditions", "dialect"].map((file) => `src/runners/odd-one/${file}.ts`);
  expect(files.every((file) => existsSync(path.join(tree.copy, file)))).toBe(true);
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const ran = spawnSync(process.execPath, [vitest, "run", "--project=unit", "src/runners/odd-one"], { cwd: tree.copy });
  expect(ran.status).toBe(0);
  const types = spawnSync(path.join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.json"], {
    cwd: tree.copy,
    encoding: "utf8",
  });
  expect(types.stdout.split("\n").filter((line) => line.includes("odd-one"))).toEqual([]);
  expect([make("odd-one").status, make("Odd One").status, make("../odd").status]).toEqual([1, 1, 1]);
});
