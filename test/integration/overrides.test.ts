import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Digest } from "../../src/core/digest.ts";
import type { Verdict } from "../../src/core/gate/verdict.ts";
import {
  overrideNamespace,
  overridePath,
  renderOverride,
  signedText,
  type OverrideRow,
} from "../../src/core/override/index.ts";
import { bin, expectRefusal, findProgram, openStage, runProcess, type Ended, type Stage } from "./bad-input-stage.ts";
import { plainGit, writeFiles } from "./pipeline-stage.ts";

const contract = { changed_files_only: ["src/**"] };
const code = "outside-scope";
const reason = "a note in passing";
const day = 86_400_000;

let stage: Stage;
let env: Readonly<Record<string, string | undefined>>;
let keys: Readonly<Record<"ana" | "mallory", string>>;

function makeKey(name: string): string {
  const file = stage.path(name);
  const made = spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
  expect(made.status).toBe(0);
  return file;
}

const publicKey = (key: string): string => readFileSync(`${key}.pub`, "utf8").split(" ").slice(0, 2).join(" ");

beforeAll(() => {
  stage = openStage();
  keys = { ana: makeKey("ana"), mallory: makeKey("mallory") };
  const PATH = stage.programs(["git", "sh", "ssh-keygen", "script", "bwrap", "mount", "umount", "unshare", "nsenter"]);
  // A person's shell, wherever this suite runs.
  env = { ...stage.env, PATH, SHELL: findProgram("sh"), CI: undefined };
});
afterAll(() => stage[Symbol.dispose]());

/** A repository whose base allows Ana, on a branch with one file outside the scope. */
function openWork(name: string, more: Readonly<Record<string, string>> = {}): string {
  const base = {
    "src/a.txt": "1\n",
    ".trueup/contract.json": JSON.stringify(contract),
    ".trueup/allowed_signers": `# who may override\nana@example.com ${publicKey(keys.ana)}\n`,
    ...more,
  };
  const work = stage.repository(name, base);
  plainGit(work, "checkout", "-q", "-b", "work");
  writeFiles(work, { "src/a.txt": "2\n", "notes.md": "note\n" });
  return work;
}

const run = (work: string, ...argv: readonly string[]): Ended => runProcess(argv, { cwd: work, env });

function check(work: string): { readonly exit: number | null; readonly verdict: Verdict } {
  const { exit, stdout } = run(work, "check", "--json", "--quiet");
  return { exit, verdict: (JSON.parse(stdout) as { verdict: Verdict }).verdict };
}

const blocks = ({ verdict }: ReturnType<typeof check>): readonly string[] =>
  verdict.findings.filter(({ severity }) => severity === "block").map((one) => one.code);

/** A person at a real terminal who types the finding's code. */
function add(work: string, typed: string, ...more: readonly string[]): { exit: number | null; shown: string } {
  const words = [process.execPath, bin, "override", "add", code, "--reason", reason, "--key", keys.ana, ...more];
  const line = words.map((word) => `'${word}'`).join(" ");
  const { status, stdout } = spawnSync("script", ["-qec", line, "/dev/null"], {
    cwd: work,
    env: { ...env },
    encoding: "utf8",
    input: `${typed}\n`,
  });
  return { exit: status, shown: stdout };
}

const rowsOf = (work: string): readonly string[] => {
  try {
    return readdirSync(path.join(work, ".trueup/overrides"));
  } catch {
    return [];
  }
};

/** Signs a row by hand and puts it where it claims to belong. */
function forge(
  work: string,
  row: OverrideRow,
  more: { key?: string; namespace?: string; shown?: OverrideRow } = {},
): void {
  const { key = keys.ana, namespace = overrideNamespace, shown = row } = more;
  const { stdout, status } = spawnSync("ssh-keygen", ["-q", "-Y", "sign", "-f", key, "-n", namespace], {
    input: signedText(row),
    encoding: "utf8",
  });
  expect(status).toBe(0);
  writeFiles(work, { [overridePath(shown)]: renderOverride({ row: shown, signature: stdout }) });
}

function rowFor(work: string, more: Partial<OverrideRow> = {}): OverrideRow {
  const { verdict } = check(work);
  return {
    version: 1,
    finding: { code, subject: "notes.md" },
    contract: verdict.inputs.contract,
    change: verdict.change_digest,
    reason,
    user: "ana@example.com",
    created_at: new Date(Date.now() - 1000).toISOString(),
    expires_at: new Date(Date.now() + day).toISOString(),
    ...more,
  };
}

describe("a person overrides one finding", () => {
  test("[C4] the verdict becomes passed, and every report says who, why, and until when; the finding stays", () => {
    const work = openWork("passes");
    expect([check(work).exit, blocks(check(work))]).toEqual([1, [code]]);
    const added = add(work, code);
    expect([added.exit, added.shown]).toEqual([0, expect.stringContaining("Type the finding's code to sign it")]);
    expect(rowsOf(work)).toHaveLength(1);
    const after = check(work);
    expect([after.exit, after.verdict.outcome, blocks(after)]).toEqual([0, "passed", [code]]);
    expect(after.verdict.overrides).toEqual([expect.objectContaining({ code, user: "ana@example.com", reason })]);
    expect(run(work, "check", "--quiet").stdout).toMatch(
      /with 1 finding overridden by ana@example\.com \(outside-scope\)[^]*override outside-scope notes\.md: overridden by ana@example\.com until \d{4}-\d\d-\d\d: a note in passing/u,
    );
    expect(run(work, "override", "list").stdout).toMatch(/outside-scope notes\.md by ana@example\.com, until/u);
    const verified = run(work, "override", "verify");
    expect([verified.exit, verified.stdout]).toEqual([0, expect.stringMatching(/^holds {4}outside-scope/mu)]);
  });

  test("[C3] any later edit of the change ends it", () => {
    const work = openWork("edited");
    expect(add(work, code).exit).toBe(0);
    writeFiles(work, { "src/a.txt": "3\n" });
    expect(blocks(check(work))).toEqual([code, "override-replayed"]);
    expect(run(work, "override", "verify").exit).toBe(1);
  });

  test("two branches that each add a row merge cleanly", () => {
    const work = openWork("merged");
    const branch = (name: string): void => {
      plainGit(work, "checkout", "-q", "-B", name, "main");
      rmSync(path.join(work, "notes.md"), { force: true });
      writeFiles(work, { "src/a.txt": "1\n", [`${name}.md`]: `${name}\n` });
      const { exit } = check(work);
      expect([exit, add(work, code).exit]).toEqual([1, 0]);
      plainGit(work, "add", "-A");
      plainGit(work, "commit", "-q", "-m", name);
    };
    branch("one");
    branch("two");
    plainGit(work, "merge", "-q", "--no-edit", "one");
    expect(plainGit(work, "ls-files", ".trueup/overrides").trim().split("\n")).toHaveLength(2);
  });
});

describe("who is refused before anything is signed", () => {
  test.each([
    ["an agent that says so", { CLAUDECODE: "1" }, /CLAUDECODE is set/u],
    ["a command of `trueup run`", { TRUEUP_RUN_ID: "x" }, /TRUEUP_RUN_ID is set/u],
    ["a job of CI", { CI: "true" }, /CI is set/u],
    ["a program without a terminal", {}, /this is no terminal/u],
  ])("[C1] %s", (_who, more, says) => {
    const work = stage.repository(`refused-${says.source.length}`, { "a.txt": "1\n" });
    const argv = ["override", "add", code, "--reason", reason, "--key", keys.ana];
    const ended = runProcess(argv, { cwd: work, env: { ...env, ...more } });
    expectRefusal(ended, { code: "override-not-a-person", says });
    expect(rowsOf(work)).toEqual([]);
  });

  test("[C1] a person who types another code, and one who gives no reason", () => {
    const work = openWork("mistyped");
    check(work);
    const mistyped = add(work, "yes");
    expect([mistyped.exit, mistyped.shown]).toEqual([2, expect.stringContaining("[override-not-confirmed]")]);
    expect(add(work, code, "--reason", " ").shown).toContain("[usage]");
    expect(rowsOf(work)).toEqual([]);
  });

  test.each([
    ["[C2] a repository whose base names nobody", { ".trueup/allowed_signers": "" }, "override-no-signers"],
    [
      "[C2] a repository that asks for a touch of a security key",
      { ".trueup/config.json": '{"version":1,"require_presence":true}' },
      "override-without-presence",
    ],
    [
      "[C6] a repository whose .gitignore hides the rows",
      { ".gitignore": ".trueup/overrides/\n" },
      "override-not-versioned",
    ],
  ])("%s", (_what, files, told) => {
    const work = openWork(`base-${told}`, files);
    check(work);
    const { exit, shown } = add(work, code);
    expect([exit, shown]).toEqual([2, expect.stringContaining(told)]);
    expect(rowsOf(work)).toEqual([]);
  });
});

describe("a row that was not made for this", () => {
  const other = "sha256:".padEnd(71, "0") as Digest;
  type Attack = readonly [what: string, told: string, make: (work: string) => void];
  test.each<Attack>([
    ["replayed on another change", "override-replayed", (work) => forge(work, rowFor(work, { change: other }))],
    ["replayed under another contract", "override-replayed", (work) => forge(work, rowFor(work, { contract: other }))],
    [
      "expired",
      "override-expired",
      (work) => forge(work, rowFor(work, { created_at: "2020-01-01T00:00:00Z", expires_at: "2020-01-31T00:00:00Z" })),
    ],
    [
      "altered after it was signed",
      "override-altered",
      (work) => {
        const row = rowFor(work);
        forge(work, row, { shown: { ...row, reason: "approved by everybody" } });
      },
    ],
    [
      "signed by a key that base does not know",
      "override-unknown-signer",
      (work) => forge(work, rowFor(work), { key: keys.mallory }),
    ],
    [
      "signed for something else",
      "override-wrong-namespace",
      (work) => forge(work, rowFor(work), { namespace: "git" }),
    ],
    [
      "unsigned",
      "override-unsigned",
      (work) => {
        const row = rowFor(work);
        writeFiles(work, { [overridePath(row)]: renderOverride({ row, signature: null }) });
      },
    ],
    [
      "signed by a key that only the change allows",
      "override-unknown-signer",
      (work) => {
        const line = `mallory@example.com ${publicKey(keys.mallory)}\n`;
        writeFiles(work, { ".trueup/allowed_signers": line });
        forge(work, rowFor(work, { user: "mallory@example.com" }), { key: keys.mallory });
      },
    ],
    [
      "for what no override opens",
      "override-not-allowed",
      (work) => forge(work, rowFor(work, { finding: { code: "contract-changed", subject: "" } })),
    ],
  ])("[C2] %s blocks, and opens nothing", (_what, told, make) => {
    const work = openWork("attacked");
    make(work);
    const run = check(work);
    expect([run.exit, run.verdict.outcome, run.verdict.overrides]).toEqual([1, "blocked", undefined]);
    expect(blocks(run)).toEqual(expect.arrayContaining([code, told]));
    rmSync(work, { recursive: true });
  });
});

describe("the key is out of an agent's reach", () => {
  test("[C5] a command of `trueup run` sees no key agent and no forge token", () => {
    const work = openWork("run");
    run(work, "start");
    const asked = runProcess(["run", "--", "sh", "-c", 'echo "agent=[$SSH_AUTH_SOCK] token=[$GITHUB_TOKEN]"'], {
      cwd: work,
      env: {
        ...env,
        SSH_AUTH_SOCK: stage.path("agent.sock"),
        GITHUB_TOKEN: "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
      },
    });
    expect(asked.stdout).toContain("agent=[] token=[]");
  });
});
