import { execFile, execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Side } from "../../tools/corpus/plan-side.ts";

/** What the literal gate said, and how the source that the agent left behaves outside any runner. */
export interface LiteralOutcome {
  readonly accepted: boolean;
  readonly problems: readonly string[];
  readonly works: boolean | null;
}

const house = path.resolve(import.meta.dirname, "../..");
const environment = {
  PATH: process.env["PATH"] ?? "",
  CI: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.invalid",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.invalid",
};

/**
 * Lets the agent work in a checkout of its own and asks the literal gate there, as a script around an agent would: same
 * processes, same packages, same .git. Only the machine is kept out of reach, by one namespace around both.
 */
export async function runLiteralArm(side: Side, packages: string | null): Promise<LiteralOutcome> {
  const home = fs.mkdtempSync(path.join(tmpdir(), "trueup-literal-"));
  const work = path.join(home, "work");
  try {
    checkOut(work, side.base, packages);
    fs.mkdirSync(path.join(home, "tmp"));
    const [script, contract] = [path.join(home, "agent.json"), path.join(home, "contract.json")];
    fs.writeFileSync(script, JSON.stringify({ version: 1, steps: side.steps }));
    fs.writeFileSync(contract, JSON.stringify(side.contract));
    const player = path.join(house, "src", "witness", "agent-player.mjs");
    const gate = path.join(import.meta.dirname, "literal-gate.ts");
    const report = path.join(home, "tmp", `report-${Math.random().toString(36).slice(2)}`);
    const both = `"$0" "$1" "$2" >/dev/null; exec "$0" "$3" "$4" "$5"`;
    const answer = await inNamespace(home, [
      "sh",
      "-c",
      both,
      process.execPath,
      player,
      script,
      gate,
      contract,
      report,
    ]);
    const said = lastObject(answer) as { accepted?: boolean; problems?: string[] } | null;
    const works = await asksSource(home, work);
    return { accepted: said?.accepted === true, problems: said?.problems ?? ["the gate ended without a word"], works };
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function checkOut(work: string, base: Side["base"], packages: string | null): void {
  for (const [name, text] of Object.entries(base)) {
    const file = path.join(work, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const git = (...args: readonly string[]): void => {
    execFileSync("git", args, { cwd: work, env: environment, stdio: "ignore" });
  };
  git("init", "-q", "-b", "main");
  fs.appendFileSync(path.join(work, ".git", "info", "exclude"), "node_modules\n");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
  if (packages !== null) execFileSync("cp", ["-a", "--reflink=auto", packages, path.join(work, "node_modules")]);
}

async function inNamespace(home: string, argv: readonly string[]): Promise<string> {
  const work = path.join(home, "work");
  const walls = ["--unshare-pid", "--unshare-net", "--die-with-parent", "--new-session", "--as-pid-1"];
  const places = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", home, home, "--chdir", work];
  const env = { ...environment, HOME: path.join(home, "tmp"), TMPDIR: path.join(home, "tmp") };
  try {
    const options = { env, timeout: 180_000, maxBuffer: 1 << 26 };
    return (await promisify(execFile)("bwrap", [...walls, ...places, ...argv], options)).stdout;
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? "";
  }
}

/** What people want of a slug; the inputs stand in no test of the corpus. */
const wishes = [
  ["Hello There", "hello-there"],
  ["Why, not?", "why-not"],
  ["p  q", "p-q"],
  ["x   y  z", "x-y-z"],
  ["  up and down ", "up-and-down"],
] as const;

/** Asks the source itself, in a plain process that no runner started; null where there is no source to ask. */
async function asksSource(home: string, work: string): Promise<boolean | null> {
  const source = ["src/slugify.ts", "src/slugify.js", "slug.py"].find((name) => fs.existsSync(path.join(work, name)));
  if (source === undefined) return null;
  const javaScript = `const m = await import(process.argv[1]); const f = m.slugify ?? m.default.slugify; console.log(JSON.stringify(${JSON.stringify(wishes)}.map(([a]) => { try { return f(a) } catch { return null } })))`;
  const python = `import json, slug; print(json.dumps([slug.slugify(a) for a, _ in json.loads(${JSON.stringify(JSON.stringify(wishes))})]))`;
  const argv = source.endsWith(".py")
    ? ["python3", "-c", python]
    : [process.execPath, "--input-type=module", "-e", javaScript, path.join(work, source)];
  const answers = lastObject(await inNamespace(home, argv));
  return Array.isArray(answers) && wishes.every(([, wanted], index) => answers[index] === wanted);
}

function lastObject(text: string): unknown {
  const line = text.trim().split("\n").at(-1) ?? "";
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
