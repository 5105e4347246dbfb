import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/error-table.ts";
import {
  bin,
  expectJsonRefusal,
  expectRefusal,
  halfWritten,
  isRoot,
  openStage,
  runProcess,
  type Ended,
  type Stage,
} from "./bad-input-stage.ts";

/** What Debian's bubblewrap says where the kernel or AppArmor lets nobody make a user namespace. */
const forbidden = `echo "bwrap: No permissions to create new namespace, likely because the kernel does not allow \
non-privileged user namespaces." >&2; exit 1`;

let stage: Stage;
let work: string;
beforeAll(() => {
  stage = openStage();
  stage.write({
    "facts.json": '{"max_added_lines":2}',
    "command.json": '{"commands":[{"command":"true"}],"max_added_lines":2}',
    "task.json": JSON.stringify({
      title: "T",
      repo: "./work",
      prompt: "Do it.",
      contract: { max_added_lines: 2 },
    }),
    "agent.json": JSON.stringify({ version: 1, steps: [{ write: { path: "x", text: "x\n" } }] }),
  });
  work = stage.repository("work", { "a.txt": "a\n" }, { "a.txt": "a\nz\n" });
});
afterAll(() => stage[Symbol.dispose]());

const check = (contract: string, env: Record<string, string> = {}, ...flags: readonly string[]): Promise<Ended> =>
  stage.run(work, ["check", "--contract", stage.path(contract), ...flags], env);
const deliver = (env: Record<string, string>): Promise<Ended> =>
  stage.run(stage.home, ["deliver", "task.json", "--quiet", "--agent", "scripted:agent.json"], env);

describe("a machine that lacks a program", () => {
  type Row = readonly [what: string, links: string[], scripts: Record<string, string>, code: ErrorCode, says: RegExp];
  const table: readonly Row[] = [
    ["git", ["sh"], {}, "git-missing", /git was not found/u],
    ["a git that answers", ["sh"], { git: "exit 0" }, "git-missing", /does not tell its version/u],
    ["a recent git", ["sh"], { git: "echo git version 2.30.1" }, "git-too-old", /\(2\.30\.1\)/u],
  ];
  test.each(table)("without %s check and deliver say which to install", async (...row) => {
    const [, links, scripts, code, says] = row;
    const PATH = stage.programs(links, scripts);
    expectRefusal(await check("facts.json", { PATH }), { code, says, hint: /git 2\.34 or newer/u });
    expectJsonRefusal(await check("facts.json", { PATH }, "--json"), code);
    expectRefusal(await deliver({ PATH }), { code, says });
  });

  test("without bubblewrap nothing is run: check and deliver say how to get it, doctor too", async () => {
    const PATH = stage.programs(["git", "sh", "node"]);
    const hint = /apt-get install bubblewrap/u;
    expectRefusal(await check("command.json", { PATH }), { code: "sandbox-missing", hint });
    expectJsonRefusal(await check("command.json", { PATH }, "--json"), "sandbox-missing");
    expectRefusal(await deliver({ PATH }), { code: "sandbox-missing", hint });
    const doctor = await stage.run(work, ["doctor"], { PATH });
    expect(doctor).toMatchObject({ exit: 2, stdout: expect.stringMatching(hint) as string });
    expect(readdirSync(stage.home)).not.toContain("work.pulls");
  });

  test("where user namespaces are forbidden, bubblewrap's own words are shown with the way to the remedy", async () => {
    const PATH = stage.programs(["git", "sh", "node", "unshare", "mount", "nsenter"], { bwrap: forbidden });
    const wanted = { code: "sandbox-forbidden", says: /No permissions to create new namespace/u } as const;
    expectRefusal(await check("command.json", { PATH }), { ...wanted, hint: /trueup doctor/u });
    const delivered = await deliver({ PATH });
    expectRefusal({ ...delivered, stderr: delivered.stderr.replace(/^ {2}│.*\n/gmu, "") }, wanted);
    const doctor = await stage.run(work, ["doctor", "--json"], { PATH });
    expect(JSON.parse(doctor.stdout)).toMatchObject({ usable: false });
    expect(doctor.exit).toBe(2);
  });

  test("where the kernel itself allows no more user namespaces, that is no full disk, and doctor names the setting", () => {
    const script = `echo 0 >/proc/sys/user/max_user_namespaces; "$0" "$1" check --quiet --contract ../command.json
"$0" "$1" doctor`;
    const { stdout, stderr } = spawnSync("unshare", ["-Ur", "sh", "-c", script, process.execPath, bin], {
      cwd: work,
      env: { ...stage.env, PATH: process.env["PATH"] },
      encoding: "utf8",
    });
    expect(stderr).toMatch(/\[sandbox-forbidden\]/u);
    expect(stdout).toMatch(/type: sudo sysctl -w user\.max_user_namespaces=/u);
  });
});

describe("places that cannot be used", () => {
  type Row = readonly [what: string, env: () => Record<string, string>, code: ErrorCode, says: RegExp];
  const at = (name: string, mode: number): string => {
    mkdirSync(stage.path(name), { recursive: true });
    chmodSync(stage.path(name), mode);
    return stage.path(name);
  };
  const table: readonly Row[] = [
    ["a relative state", () => ({ TRUEUP_STATE: "x" }), "state-unwritable", /TRUEUP_STATE \(not an absolute path\)/u],
    ["a relative cache", () => ({ TRUEUP_CACHE: "x" }), "cache-unwritable", /TRUEUP_CACHE \(not an absolute path\)/u],
    ["no home", () => ({ TRUEUP_STATE: "", HOME: "" }), "state-unwritable", /HOME/u],
    ["a state below a file", () => ({ TRUEUP_STATE: stage.path("task.json/x") }), "state-unwritable", /ENOTDIR/u],
    ["a cache that is a file", () => ({ TRUEUP_CACHE: stage.path("task.json") }), "cache-unwritable", /task\.json/u],
    ["a state below /proc", () => ({ TRUEUP_STATE: "/proc/trueup" }), "state-unwritable", /\/proc\/trueup/u],
    ["a state that others may enter", () => ({ TRUEUP_STATE: at("open", 0o755) }), "state-insecure", /mode is 755/u],
    ["a cache that others may write", () => ({ TRUEUP_CACHE: at("wide", 0o770) }), "cache-insecure", /mode is 770/u],
    ["a state in the work tree", () => ({ TRUEUP_STATE: path.join(work, ".s") }), "place-in-work-tree", /\.s/u],
  ];

  test.each(table)("%s is refused, and the setting that mends it is named", async (...row) => {
    const [, env, code, says] = row;
    expectRefusal(await check("facts.json", env()), { code, says, hint: /TRUEUP_(?:STATE|CACHE)/u });
    expectJsonRefusal(await check("facts.json", env(), "--json"), code);
  });

  test.each([
    ["a file", "task.json", /it is not a directory/u],
    ["below a file", "task.json/x", /ENOTDIR/u],
  ])("--out that is %s is refused before anything is tested", async (_what, out, says) => {
    const ended = await check("facts.json", {}, "--out", stage.path(out));
    expectRefusal(ended, { code: "out-unwritable", says, hint: /--out/u });
  });

  test("a cache and a state on a file system that is mounted read-only are refused, and mended by mounting it", () => {
    const namespace = isRoot ? ["unshare", "-m"] : ["unshare", "-rm"];
    const place = at("mounted", 0o700);
    for (const [name, code] of [
      ["TRUEUP_CACHE", "cache-unwritable"],
      ["TRUEUP_STATE", "state-unwritable"],
    ] as const) {
      const mount = 'mount -t tmpfs -o mode=700,ro none "$0" && exec "$@"';
      const ended = runProcess(["check", "--quiet", "--contract", stage.path("facts.json")], {
        cwd: work,
        env: { ...stage.env, PATH: process.env["PATH"], [name]: place },
        before: [...namespace, "sh", "-c", mount, place],
      });
      expectRefusal(ended, { code, says: /EROFS/u });
    }
  });
});

describe("an ordinary user", () => {
  /** Runs `script` as nobody, with our own files where nobody may read them; as whoever we are when that is not root. */
  function asNobody(script: string, directory: string): Ended {
    const env = {
      ...stage.env,
      HOME: directory,
      TRUEUP_STATE: undefined,
      TRUEUP_CACHE: undefined,
      PATH: process.env["PATH"],
    };
    const [node, root] = [path.dirname(realpathSync(process.execPath)), path.dirname(path.dirname(bin))];
    const enter = `mount --bind "$1" "$0/package" && mount --bind "$2" "$0/node" && cd "$0/work" &&
exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "$3" "$0/node/node" "$0/package/bin/trueup.js"`;
    const argv = isRoot
      ? ["unshare", "-m", "sh", "-c", enter, directory, root, node, script]
      : [
          "sh",
          "-c",
          `cd "$0" && shift && exec sh -c "$3" "$1" "$2"`,
          path.join(directory, "work"),
          "",
          process.execPath,
          bin,
          script,
        ];
    const [program = "", ...rest] = argv;
    const { status, stdout, stderr } = spawnSync(program, rest, { env, encoding: "utf8" });
    return { exit: status, stdout, stderr };
  }

  let home: string;
  beforeAll(() => {
    home = stage.path("ordinary");
    for (const name of ["package", "node"]) mkdirSync(path.join(home, name), { recursive: true });
    stage.repository("ordinary/work", { "a.txt": "a\n", "b.txt": "b\n" }, { "a.txt": "a\nz\n" });
    stage.write({ "ordinary/contract.json": '{"commands":[{"command":"true"}],"max_added_lines":2}' });
    if (isRoot) spawnSync("chown", ["-R", "65534:65534", home]);
    chmodSync(stage.home, 0o711);
  });

  test("`trueup check` runs a command in the sandbox and passes, with nothing of root's", () => {
    const ended = asNobody('exec "$0" "$1" check --json --contract ../contract.json', home);
    expect(ended.stderr).toBe("");
    const { verdict } = JSON.parse(ended.stdout) as { verdict: { outcome: string } };
    expect([verdict.outcome, ended.exit]).toEqual(["passed", 0]);
    expect(halfWritten(home)).toEqual([]);
  });

  test("a file, a state, a cache and an output that permissions close are refused by name", () => {
    const run = (script: string): Ended => asNobody(script, home);
    const quiet = '"$0" "$1" check --quiet --contract ../contract.json';
    expectRefusal(run(`chmod 0 a.txt; ${quiet}; code=$?; chmod 644 a.txt; exit $code`), {
      code: "tree-unreadable",
      says: /a\.txt \(EACCES\)/u,
    });
    expectRefusal(run(`chmod 0 ../contract.json; ${quiet}; code=$?; chmod 644 ../contract.json; exit $code`), {
      code: "file-unreadable",
      says: /permission denied/u,
    });
    expectRefusal(run(`mkdir -m 500 ../shut; TRUEUP_STATE=$PWD/../shut/s; export TRUEUP_STATE; exec ${quiet}`), {
      code: "state-unwritable",
      says: /EACCES/u,
    });
    expectRefusal(run(`TRUEUP_CACHE=/usr/trueup; export TRUEUP_CACHE; exec ${quiet}`), {
      code: "cache-unwritable",
      says: /\/usr\/trueup/u,
    });
    expectRefusal(run(`exec ${quiet} --out ../shut`), { code: "out-unwritable", says: /EACCES/u });
  });
});
