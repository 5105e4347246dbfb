import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/error-table.ts";
import { expectJsonRefusal, expectRefusal, openStage, type Ended, type Stage } from "./bad-input-stage.ts";
import { plainGit } from "./pipeline-stage.ts";

type Json = Record<string, unknown>;

let stage: Stage;
beforeAll(() => {
  stage = openStage();
});
afterAll(() => stage[Symbol.dispose]());

function edit(file: string, change: (value: Json) => unknown): void {
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")) as Json)));
}

describe("artifacts that the gate cannot judge", () => {
  let out: string;
  beforeAll(async () => {
    const work = stage.repository("work", { "a.txt": "a\n" }, { "a.txt": "a\nz\n" });
    stage.write({ "contract.json": '{"max_added_lines":2}' });
    out = stage.path("out");
    const argv = ["check", "--quiet", "--contract", stage.path("contract.json"), "--out", out];
    await stage.run(work, argv);
  });

  const gate = (directory: string, ...flags: readonly string[]): Promise<Ended> =>
    stage.run(stage.home, ["gate", directory, ...flags]);

  const damaged: readonly (readonly [what: string, code: ErrorCode, says: RegExp, harm: (at: string) => void])[] = [
    ["no facts", "artifacts-invalid", /it holds no facts\.json/u, (at) => rmSync(path.join(at, "facts.json"))],
    ["facts cut off", "artifacts-damaged", /facts\.json \(it is not JSON\)/u, (at) => cut(at, "facts.json")],
    ["empty facts", "artifacts-damaged", /facts\.json/u, (at) => writeFileSync(path.join(at, "facts.json"), "")],
    ["facts of a newer version", "artifacts-damaged", /version/u, (at) => version(at, "facts.json")],
    ["a verdict of a newer version", "artifacts-damaged", /verdict\.json/u, (at) => version(at, "verdict.json")],
    ["a verdict cut off", "artifacts-damaged", /verdict\.json/u, (at) => cut(at, "verdict.json")],
    ["no contract", "artifacts-damaged", /it is missing/u, (at) => rmSync(path.join(at, "contract.json"))],
    [
      "another contract",
      "contract-changed",
      /not the contract these facts/u,
      (at) => edit(path.join(at, "contract.json"), () => ({ max_added_lines: 9 })),
    ],
    ["facts that are a directory", "artifacts-damaged", /not a regular file/u, (at) => inPlace(at, "mkdir")],
    ["facts that are a pipe", "artifacts-damaged", /not a regular file/u, (at) => inPlace(at, "mkfifo")],
    [
      "facts that are not UTF-8",
      "artifacts-damaged",
      /is not UTF-8/u,
      (at) => writeFileSync(path.join(at, "facts.json"), Buffer.from('{"a":"\xff"}', "latin1")),
    ],
  ];
  const cut = (at: string, name: string): void =>
    writeFileSync(path.join(at, name), readFileSync(path.join(at, name)).subarray(0, 200));
  const version = (at: string, name: string): void => edit(path.join(at, name), (value) => ({ ...value, version: 2 }));
  const inPlace = (at: string, program: string): void => {
    rmSync(path.join(at, "facts.json"));
    spawnSync(program, [path.join(at, "facts.json")]);
  };

  test.each(damaged)("%s: nothing is judged", async (...row) => {
    const [what, code, says, harm] = row;
    const copy = stage.path(`out-${what.replaceAll(" ", "-")}`);
    cpSync(out, copy, { recursive: true });
    harm(copy);
    expectRefusal(await gate(copy), { code, says });
    expectJsonRefusal(await gate(copy, "--json"), code);
  });

  test.each([
    ["nothing", "nowhere", /there is nothing at this path/u],
    ["a file", "contract.json", /it is a file/u],
    ["an empty directory", "home", /it holds no facts\.json/u],
  ])("%s in place of a directory is refused by what it is", async (_what, name, says) => {
    expectRefusal(await gate(name), { code: "artifacts-invalid", says });
  });

  test("[B1] untouched artifacts give the verdict again", async () => {
    expect(await gate(out)).toMatchObject({ exit: 0, stderr: "" });
  });
});

describe("an attempt that cannot be gone on with", () => {
  const argv = ["deliver", "task.json", "--quiet", "--agent", "scripted:agent.json"];
  const env = { PATH: process.env["PATH"] };
  const run = (...flags: readonly string[]): Promise<Ended> => stage.run(stage.home, [...argv, ...flags], env);
  let record: string;
  let kept: Buffer;

  beforeAll(async () => {
    const source = stage.repository("source", { "a.txt": "a\n" });
    plainGit(stage.home, "clone", "-q", "--bare", source, "remote.git");
    stage.write({
      "task.json": JSON.stringify({
        title: "T",
        repo: "./remote.git",
        prompt: "Do it.",
        contract: { max_added_lines: 2 },
      }),
      "agent.json": JSON.stringify({ version: 1, steps: [{ write: { path: "x.txt", text: "x\n" } }] }),
    });
    await run();
    const [id = ""] = readdirSync(path.join(stage.state, "attempts")).filter((name) => !name.startsWith("."));
    record = path.join(stage.state, "attempts", id, "attempt.json");
    kept = readFileSync(record);
  });

  test.each<readonly [string, RegExp, () => void]>([
    ["cut off", /attempts\//u, () => writeFileSync(record, kept.subarray(0, 100))],
    ["empty", /attempts\//u, () => writeFileSync(record, "")],
    ["of a newer version", /attempts\//u, () => edit(record, (value) => ({ ...value, version: 2 }))],
    [
      "with a step of another shape",
      /the confirm step/u,
      () =>
        edit(record, (value) => ({ ...value, steps: { ...(value["steps"] as Json), confirm: { at: 1, data: 1 } } })),
    ],
    [
      "without the facts it was judged by",
      /facts\.json/u,
      () => rmSync(path.join(path.dirname(record), "out/facts.json")),
    ],
  ])("a record %s is damage, exit 3, and --new-attempt is named", async (_what, says, harm) => {
    const facts = path.join(path.dirname(record), "out/facts.json");
    const before = readFileSync(facts);
    harm();
    expectRefusal(await run(), { code: "attempt-damaged", says, hint: /--new-attempt/u });
    expectJsonRefusal(await run("--json"), "attempt-damaged");
    writeFileSync(record, kept);
    writeFileSync(facts, before);
  });

  test("an attempt that others may enter is not used until it is closed to them", async () => {
    chmodSync(path.dirname(record), 0o755);
    expectRefusal(await run(), { code: "state-insecure", says: /mode 755/u });
    chmodSync(path.dirname(record), 0o700);
    expect((await run()).exit).toBe(0);
  });

  test("a new attempt after damage finds the pull request and opens no second", async () => {
    writeFileSync(record, "");
    const ended = await run("--new-attempt");
    expect(ended.stdout).toMatch(/^Status: attached/mu);
    expect(readdirSync(stage.path("remote.git.pulls"))).toEqual(["1.json"]);
    expect(readFileSync(record, "utf8")).toBe("");
  });
});
