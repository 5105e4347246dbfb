import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { mirrorPlace } from "../../src/adapters/git/cli/mirror-store.ts";
import type { Side } from "./plan-side.ts";
import { readOutcome, type Outcome } from "./read-outcome.ts";

const root = path.resolve(import.meta.dirname, "../..");
const program = path.join(root, "bin", "trueup.js");
const signature = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.invalid",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.invalid",
};

/**
 * Runs one side through `trueup deliver`, as anybody would, over a repository and a state directory of its own. `look` sees
 * that directory before it is cleared away.
 */
export async function deliverSide(side: Side, look?: (state: string) => void): Promise<Outcome> {
  const home = fs.mkdtempSync(path.join(tmpdir(), "trueup-corpus-"));
  const cache = process.env["TRUEUP_CACHE"] ?? path.join(root, ".cache", "test");
  const env = {
    ...process.env,
    ...signature,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ALLOW_PROTOCOL: "file",
    TRUEUP_STATE: path.join(home, "state"),
    TRUEUP_CACHE: cache,
  };
  const remote = buildRemote(home, { base: side.base, env });
  try {
    const task = await writeTask(home, { side, remote, env });
    const script = path.join(home, "agent.json");
    fs.writeFileSync(script, JSON.stringify({ version: 1, steps: [...side.steps, { say: "All tests pass." }] }));
    const ran = await run(["deliver", task, "--agent", `scripted:${script}`, "--json"], { cwd: home, env });
    look?.(env.TRUEUP_STATE);
    return readOutcome(ran);
  } finally {
    const mirror = mirrorPlace(cache, remote);
    for (const left of [home, mirror.directory, mirror.lock]) fs.rmSync(left, { recursive: true, force: true });
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

function buildRemote(home: string, { base, env }: { base: Side["base"]; env: Environment }): string {
  const source = path.join(home, "source");
  const remote = path.join(home, "remote.git");
  const git = (...args: readonly string[]): void => {
    execFileSync("git", args, { cwd: home, env, stdio: ["ignore", "ignore", "pipe"] });
  };
  git("init", "-q", "-b", "main", source);
  for (const [name, text] of Object.entries(base)) {
    const file = path.join(source, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  git("-C", source, "add", "-A", "-f");
  git("-C", source, "commit", "-q", "-m", "base");
  git("clone", "-q", "--bare", source, remote);
  return remote;
}

/** Writes the task; held-out tests are put away first, by the command line, which adds their entries to the contract. */
async function writeTask(
  home: string,
  { side, remote, env }: { side: Side; remote: string; env: Environment },
): Promise<string> {
  const contract = path.join(home, "contract.json");
  fs.writeFileSync(contract, JSON.stringify(side.contract));
  for (const [index, hidden] of side.heldOut.entries()) {
    const file = path.join(home, `held-out-${index}`);
    fs.writeFileSync(file, hidden.text);
    const words = ["--path", hidden.path, "--command", hidden.command, "--passed", String(hidden.passed)];
    const { exit, stderr } = await run(["contract", "add-held-out", file, ...words, "--contract", contract], {
      cwd: home,
      env,
    });
    if (exit !== 0) throw new Error(`the held-out test was not taken: ${stderr}`);
  }
  const task = path.join(home, "task.json");
  const promised: unknown = JSON.parse(fs.readFileSync(contract, "utf8"));
  const words = { title: "Join words over runs of spaces", prompt: "Mend slugify.", repo: remote, contract: promised };
  fs.writeFileSync(task, JSON.stringify(words));
  return task;
}

/** What one command line left. */
export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(argv: readonly string[], at: { cwd: string; env: Environment }): Promise<Ran> {
  const options = { ...at, maxBuffer: 1 << 28, timeout: 900_000 };
  try {
    return { exit: 0, ...(await promisify(execFile)(process.execPath, [program, ...argv], options)) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { exit: typeof code === "number" ? code : null, stdout, stderr };
  }
}
