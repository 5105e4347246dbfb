import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPipeline, writeFiles, type Pipeline, type Ran } from "./pipeline-stage.ts";

const config = ".trueup/config.json";
const action = ["--action", "acme/trueup/action@v1"];
const workflow = ".github/workflows/trueup.yml";

/** Every file below a directory with its bytes, without git's own. */
function snapshot(directory: string): Readonly<Record<string, string>> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes("/.git/"))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(directory, file), readFileSync(file, "base64")]),
  );
}

describe("init and uninit in a repository without tests", () => {
  let pipeline: Pipeline;
  let work: string;
  const run = (...argv: readonly string[]): Promise<Ran> => pipeline.run(work, argv);
  const at = (name: string): string => path.join(work, name);

  beforeEach(() => {
    pipeline = openPipeline({ "notes.txt": "one\n" });
    work = pipeline.clone("work");
  });
  afterEach(() => pipeline[Symbol.dispose]());

  test("[I11] without a yes nothing is written: shown, dry, as JSON, and where there is nobody to ask", async () => {
    const before = snapshot(work);
    const asked = await run("init");
    expect([asked.exit, asked.stderr.includes("consent-missing")]).toEqual([2, true]);
    expect(asked.stdout).toContain('+  "failed_records": "retries"');
    expect((await run("init", "--dry-run")).exit).toBe(0);
    const json = await run("init", "--json");
    expect([json.exit, json.answer["written"]]).toEqual([0, false]);
    expect(snapshot(work)).toEqual(before);
  });

  test("[I11] uninit leaves the tree and the user's state as they were before init; both may be typed twice", async () => {
    await run("start");
    const [tree, state] = [snapshot(work), snapshot(pipeline.state)];
    expect((await run("init", "--yes", ...action)).exit).toBe(0);
    const written = snapshot(work);
    expect(Object.keys(written).toSorted()).toEqual([workflow, config, "notes.txt"].toSorted());
    expect((await run("init", "--yes", ...action)).stdout).toContain("Nothing to write.");
    expect(snapshot(work)).toEqual(written);
    expect((await run("uninit", "--yes")).exit).toBe(0);
    expect(snapshot(work)).toEqual(tree);
    expect([existsSync(at(".trueup")), existsSync(at(".github"))]).toEqual([false, false]);
    expect(snapshot(pipeline.state)).toMatchObject(state);
    expect((await run("uninit", "--yes")).stdout).toContain("no record");
    expect(snapshot(work)).toEqual(tree);
  });

  test("[I11] a file that was there before is kept by init, and by uninit", async () => {
    writeFiles(work, { [config]: '{ "failed_records": "any" }\n', [workflow]: "name: mine\n" });
    const before = snapshot(work);
    const init = await run("init", "--yes", ...action);
    expect(init.stdout).toContain("it is yours: init did not write it");
    await run("uninit", "--yes");
    expect(snapshot(work)).toEqual(before);
  });

  test("[I11] what the user changed after init, and what lies beside it, outlives uninit, and the answer names it", async () => {
    await run("init", "--yes", ...action);
    const mine = { [config]: '{ "failed_records": "any" }\n', ".github/workflows/mine.yml": "name: mine\n" };
    writeFiles(work, mine);
    const again = await run("init", "--yes", ...action);
    expect(again.stdout).toContain("you have changed it since init wrote it");
    const removed = await run("uninit", "--yes", "--json");
    expect(removed.answer["actions"]).toEqual([
      { action: "keep", path: config, why: "you have changed it since init wrote it" },
      { action: "remove", path: workflow, why: "as init wrote it" },
    ]);
    expect(Object.keys(snapshot(work)).toSorted()).toEqual([...Object.keys(mine), "notes.txt"].toSorted());
    expect(readFileSync(at(config), "utf8")).toBe(mine[config]);
  });

  test("[I11] a link in the place of a directory or file leads neither command out of the work tree", async () => {
    const outside = path.join(pipeline.home, "outside");
    mkdirSync(outside);
    symlinkSync(outside, at(".trueup"));
    expect((await run("init", "--yes")).stdout).toContain("a symbolic link or file on the way");
    expect(readdirSync(outside)).toEqual([]);
    rmSync(at(".trueup"));
    await run("init", "--yes");
    renameSync(at(".trueup"), path.join(outside, "real"));
    symlinkSync(path.join(outside, "real"), at(".trueup"));
    await run("uninit", "--yes");
    expect(readdirSync(path.join(outside, "real"))).toEqual(["config.json"]);
  });

  test("[I11] without its record, or with one that is damaged, uninit removes nothing", async () => {
    await run("init", "--yes");
    const records = path.join(pipeline.state, "init");
    const [name = ""] = readdirSync(records);
    writeFileSync(path.join(records, name), "{");
    const damaged = await run("uninit", "--yes", "--json");
    expect([damaged.exit, damaged.error]).toEqual([3, "init-record-damaged"]);
    rmSync(records, { recursive: true });
    await run("uninit", "--yes");
    expect(existsSync(at(config))).toBe(true);
  });
});
