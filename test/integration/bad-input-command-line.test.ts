import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/error-table.ts";
import { bin, expectJsonRefusal, expectRefusal, openStage, runProcess, type Stage } from "./bad-input-stage.ts";

let stage: Stage;
beforeAll(() => {
  stage = openStage();
  stage.write({
    "ok.json": '{"max_added_lines":1}',
    "long.md": "a".repeat(2 ** 20 + 1),
    "latin1.json": Buffer.from('{"changed_files_only":["caf\xe9"]}', "latin1"),
    "wide.json": Buffer.from("\uFEFF{}", "utf16le"),
  });
  mkdirSync(stage.path("directory"));
  spawnSync("mkfifo", [stage.path("pipe")]);
  symlinkSync("b", stage.path("a"));
  symlinkSync("a", stage.path("b"));
  symlinkSync("nowhere", stage.path("dangling"));
});
afterAll(() => stage[Symbol.dispose]());

describe("a command line that does not fit", () => {
  const table: readonly (readonly [argv: string, says: RegExp, hint: RegExp])[] = [
    ["nope", /unknown command 'nope'/u, /`trueup --help`/u],
    ["--nope", /unknown option '--nope'/u, /`trueup --help`/u],
    ["check --jsn", /unknown option '--jsn' \(Did you mean --json\?\)/u, /`trueup check --help`/u],
    ["check extra", /too many arguments for 'check'/u, /`trueup check --help`/u],
    ["check --base", /option '--base <rev>' argument missing/u, /`trueup check --help`/u],
    ["check --staged --commit HEAD", /--staged and --commit exclude each other/u, /--help`/u],
    ["gate a b", /too many arguments for 'gate'/u, /`trueup gate --help`/u],
    ["deliver", /missing required argument 'task'/u, /`trueup deliver --help`/u],
    ["contract check", /missing required argument 'file'/u, /`trueup contract check --help`/u],
    ["contract nope", /unknown command 'nope'/u, /`trueup contract --help`/u],
  ];

  test.each(table)("trueup %s says what is wrong and which help to read, exit 2", async (argv, says, hint) => {
    const words = argv.split(" ");
    expectRefusal(await stage.run(stage.home, words), { code: "usage", says, hint });
    // Before an option that wants a value, and not as its value.
    const json = words.at(-1) === "--base" ? ["check", "--json", "--base"] : [...words, "--json"];
    expectJsonRefusal(await stage.run(stage.home, json), "usage");
    expect(readdirSync(stage.home)).not.toContain("state");
  });

  test.each([[[]], [["contract"]]])("trueup %j alone prints help on standard error, exit 2", async (argv) => {
    const ended = await stage.run(stage.home, argv);
    expect([ended.exit, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toMatch(/^Usage: trueup /u);
  });

  test("--version is one line, and --help of each command lists each of its options with its meaning", async () => {
    const version = await stage.run(stage.home, ["--version"]);
    expect([version.exit, version.stderr]).toEqual([0, ""]);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/u);
    const top = await stage.run(stage.home, ["--help"]);
    expect(top.stdout).toContain("Exit codes of check, gate, deliver and preflight: 0 passed or fit, 1 blocked");
    for (const command of ["deliver", "check", "gate", "contract check", "contract schema", "doctor", "demo"]) {
      const ended = await stage.run(stage.home, [...command.split(" "), "--help"]);
      expect([command, ended.exit, ended.stderr]).toEqual([command, 0, ""]);
      expect(ended.stdout).toMatch(new RegExp(`^Usage: trueup ${command}`, "u"));
      const options = [
        ...ended.stdout.matchAll(/^ {2}(?:-\w, )?--[a-z][a-z-]*(?: <\w+>)?(?<meaning>.*(?:\n {10}.*)?)/gmu),
      ];
      expect(options.length).toBeGreaterThan(0);
      for (const option of options) expect(option.groups?.["meaning"]).toMatch(/\s{2}\S+/u);
    }
  });
});

test("the task that `deliver --help` shows is one that it takes", async () => {
  const { stdout } = await stage.run(stage.home, ["deliver", "--help"]);
  const [, sample = ""] = /(\n {2}---\n(?: {2}.*\n|\n)+? {2}```\n)\n/u.exec(stdout) ?? [];
  stage.write({ "sample.md": sample.slice(1).replace(/^ {2}/gmu, "") });
  const ended = await stage.run(stage.home, ["deliver", "sample.md"]);
  expectRefusal(ended, { code: "repository-unreachable", says: /\.\/remote\.git \(there is no such path\)/u });
  expect((await stage.run(stage.home, ["contract", "check", "sample.md"])).exit).toBe(0);
});

describe("a file that cannot be read as text", () => {
  const table: readonly (readonly [file: string, code: ErrorCode, says: RegExp])[] = [
    ["missing.json", "file-not-found", /missing\.json/u],
    ["dangling", "file-not-found", /dangling/u],
    ["ok.json/x", "file-not-found", /ok\.json\/x/u],
    ["directory", "file-unreadable", /it is a directory/u],
    ["pipe", "file-unreadable", /it is a pipe/u],
    ["a", "file-unreadable", /its symbolic links lead in a circle/u],
    ["/dev/zero", "file-unreadable", /it is a device or socket/u],
    ["long.md", "file-unreadable", /it is longer than 1 MiB/u],
    ["latin1.json", "file-unreadable", /byte 28 is not UTF-8/u],
    ["wide.json", "file-unreadable", /it is UTF-16/u],
    ["x".repeat(300), "file-unreadable", /the name is too long/u],
  ];

  test.each(table)("%s as a task or a contract is refused, and nothing waits", async (file, code, says) => {
    for (const argv of [
      ["deliver", file],
      ["check", "--contract", file],
      ["contract", "check", file],
    ]) {
      expectRefusal(await stage.run(stage.home, argv), { code, says });
      expectJsonRefusal(await stage.run(stage.home, [...argv, "--json"]), code);
    }
    expect(readdirSync(stage.home)).not.toContain("state");
  });

  test.each(["missing.json", "directory", "pipe", "latin1.json", ""])("a script %j is no agent", async (script) => {
    mkdirSync(stage.path("remote/.git"), { recursive: true });
    stage.write({ "task.md": "---\ntitle: T\nrepo: ./remote\n---\nDo it.\n" });
    const env = { TRUEUP_STATE: stage.path("unused"), TRUEUP_CACHE: stage.path("unused") };
    const ended = await stage.run(stage.home, ["deliver", "task.md", "--quiet", "--agent", `scripted:${script}`], env);
    expectRefusal(ended, { code: "agent-invalid" });
  });
});

describe("streams and places that went away", () => {
  const shell = (script: string, cwd = stage.home) =>
    spawnSync("bash", ["-c", script, process.execPath, bin], { cwd, env: { ...process.env }, encoding: "utf8" });

  test("a reader that closes standard output or standard error early is no error", () => {
    const { stdout, stderr } = shell(`"$0" "$1" contract schema | head -0; echo "\${PIPESTATUS[0]}"
"$0" "$1" contract schema | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"
"$0" "$1" nope 2>&1 >/dev/null | head -0; echo "\${PIPESTATUS[0]}"
"$0" "$1" contract check ok.json >&-; echo "$?"`);
    expect([stdout, stderr]).toEqual(["0\n0\n2\n0\n", ""]);
  });

  test("a result that cannot be written is an error, exit 2", () => {
    const { status, stderr } = shell(`"$0" "$1" contract schema >/dev/full`);
    expectRefusal({ exit: status, stdout: "", stderr }, { code: "output-failed", says: /ENOSPC/u });
  });

  test("standard input and a shell's own pipe are files like others", () => {
    const { stdout } = shell(`"$0" "$1" contract check /dev/stdin <ok.json; "$0" "$1" contract check <(cat ok.json)`);
    expect(stdout).toMatch(/^\/dev\/stdin: valid, .*\n\/dev\/fd\/\d+: valid, /u);
  });

  test("a directory that was removed under the command's feet is no crash", () => {
    mkdirSync(stage.path("gone"));
    const env = { ...stage.env, PATH: process.env["PATH"] };
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", 'cd gone && rmdir ../gone && "$0" "$1" --version && exec "$0" "$1" check', process.execPath, bin],
      { cwd: stage.home, env, encoding: "utf8" },
    );
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
    expectRefusal({ exit: status, stdout: "", stderr }, { code: "not-a-repository", says: /gone/u });
    expect(readdirSync(stage.home)).not.toContain("gone");
    rmdirSync(stage.path("directory"));
  });

  test("a real process ends with the same code and words", () => {
    const ended = runProcess(["contract", "check", "missing.json"], { cwd: stage.home, env: stage.env });
    expectRefusal(ended, { code: "file-not-found", says: /missing\.json/u });
  });
});
