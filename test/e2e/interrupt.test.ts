import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addTests, canary, canaryContract, honestTest, mend } from "../integration/pipeline-canary.ts";
import { openPipeline, type Pipeline, type Step } from "../integration/pipeline-stage.ts";

const repository = path.dirname(path.dirname(import.meta.dirname));
const sharedCache = path.join(repository, ".cache", "test");

/** A process told apart from a later one with the same pid. */
interface Seen {
  readonly pid: number;
  readonly started: string;
  readonly command: string;
}

function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function readStat(pid: number): { readonly state: string; readonly parent: number; readonly started: string } | null {
  const text = readProc(pid, "stat");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return text === "" ? null : { state: fields[0] ?? "", parent: Number(fields[1]), started: fields[19] ?? "" };
}

function livingPids(): readonly number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/u.test(name) ? [Number(name)] : []));
}

/** Every process below `root`, itself included, as it is now. */
function descendantsOf(root: number): readonly Seen[] {
  const stats = new Map(livingPids().map((pid) => [pid, readStat(pid)]));
  const below = (pid: number): boolean => {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return [...stats].flatMap(([pid, stat]) =>
    stat !== null && below(pid)
      ? [{ pid, started: stat.started, command: readProc(pid, "cmdline").replaceAll("\0", " ") }]
      : [],
  );
}

function isAlive(seen: Seen): boolean {
  const stat = readStat(seen.pid);
  return stat !== null && stat.started === seen.started && stat.state !== "Z" && stat.state !== "X";
}

/** Processes that name the stage's directory in their arguments, or see it mounted; whoever started them. */
function processesNaming(place: string): readonly string[] {
  return livingPids()
    .filter((pid) => pid !== process.pid && readStat(pid)?.state !== "Z")
    .filter((pid) => readProc(pid, "cmdline").includes(place) || readProc(pid, "mountinfo").includes(place))
    .map((pid) => `${pid} ${readProc(pid, "cmdline").replaceAll("\0", " ")}`);
}

/** When Ctrl-C is pressed: at a line of the progress, and then, if named, once a process of that kind runs below. */
interface Moment {
  readonly line: string;
  readonly running?: RegExp;
  /** Whether the agent's work is in safety by then, so that it is not asked again. */
  readonly captured: boolean;
  /** A cache without anything in it, so that dependencies are really installed. */
  readonly cold?: boolean;
}

const moments: Readonly<Record<string, Moment>> = {
  reconcile: { line: "▸ looking for earlier work", captured: false },
  clone: { line: "▸ cloning the repository", captured: false },
  bootstrap: { line: "installing from package-lock.json", running: /bwrap.*npm/u, captured: false, cold: true },
  baseline: { line: "▸ testing the untouched base", running: /vitest/u, captured: false },
  agent: { line: "│ I have begun", captured: false },
  capture: { line: "▸ capturing the change", captured: true },
  verify: { line: "▸ re-testing the change in a clean room", running: /vitest/u, captured: true },
  publish: { line: "▸ publishing", captured: true },
};

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stderr(): string;
}

describe("Ctrl-C at any step", () => {
  let pipeline: Pipeline;
  let cache: string;
  let task: string;
  let script: string;

  beforeEach(() => {
    pipeline = openPipeline(canary);
    cache = path.join(pipeline.home, "cache");
    task = path.join(pipeline.home, "task.json");
    script = path.join(pipeline.home, "agent.json");
    mkdirSync(cache, { mode: 0o700 });
    const prompt = "Collapse runs of spaces.";
    writeFileSync(task, JSON.stringify({ title: "Collapse", repo: pipeline.remote, prompt, contract: canaryContract }));
    writeAgent([mend, honestTest]);
  });
  afterEach(() => pipeline[Symbol.dispose]());

  function writeAgent(steps: readonly Step[]): void {
    writeFileSync(script, JSON.stringify({ version: 1, steps }));
  }

  /** What was installed once for all tests; base runs stay cold, so that they really run. */
  function useInstalledDependencies(): void {
    for (const name of ["dependencies", "toolchains"]) {
      const shared = path.join(sharedCache, name);
      if (existsSync(shared)) symlinkSync(shared, path.join(cache, name));
    }
  }

  function start(argv: readonly string[] = deliver(), cwd = pipeline.home): Started {
    const env = { ...process.env, TRUEUP_STATE: pipeline.state, TRUEUP_CACHE: cache };
    // A group of its own: Ctrl-C at a terminal reaches every process of the foreground group.
    const child = spawn(process.execPath, [path.join(repository, "bin", "trueup.js"), ...argv], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (stderr += text));
    const ended = new Promise<Ended>((resolve) =>
      child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr })),
    );
    return { child, ended, stderr: () => stderr };
  }

  const deliver = (): readonly string[] => ["deliver", task, "--agent", `scripted:${script}`];

  /** Runs until the moment comes, presses Ctrl-C, and says which processes were there. */
  async function interruptAt(
    moment: Moment,
    run = start(),
  ): Promise<Ended & { readonly pid: number; readonly seen: readonly Seen[] }> {
    const pid = run.child.pid ?? 0;
    const isOver = (): boolean => run.child.exitCode !== null || run.child.signalCode !== null;
    while (!run.stderr().includes(moment.line) && !isOver()) await pause(5);
    // The next step's line means that this one was too quick to be met running.
    const lines = run.stderr().split("▸").length;
    const { running } = moment;
    while (running !== undefined && !isOver() && run.stderr().split("▸").length === lines) {
      if (descendantsOf(pid).some((one) => one.pid !== pid && running.test(one.command))) break;
      await pause(5);
    }
    const seen = descendantsOf(pid);
    if (!isOver()) process.kill(-pid, "SIGINT");
    return { ...(await run.ended), pid, seen };
  }

  test.each(Object.keys(moments))(
    "[F15] [G7] at %s: nothing runs on, nothing is half-published, the same command ends with one pull request",
    async (step) => {
      const moment = moments[step] as Moment;
      if (moment.cold !== true) useInstalledDependencies();
      if (step === "agent") writeAgent([mend, { say: "I have begun" }, { sleep_ms: 3_600_000 }]);
      const stopped = await interruptAt(moment);
      expect([stopped.code, stopped.signal, stopped.stdout]).toEqual([130, null, ""]);
      expect(stopped.stderr).toContain(moment.line);
      expect(stopped.stderr).toMatch(
        /trueup: Interrupted.*\[interrupted\]\n {2}Run the same command again: it resumes\./u,
      );
      expect(stopped.stderr).not.toMatch(/^\s+at /mu);

      expect(stopped.seen.map((one) => one.command).join("\n")).toMatch(moment.running ?? /deliver/u);
      expect(stopped.seen.filter(isAlive).map((one) => one.command)).toEqual([]);
      expect(processesNaming(pipeline.home)).toEqual([]);
      expect(readProc("self", "mountinfo")).not.toContain(pipeline.home);
      expect(globSync(`/sys/fs/cgroup/**/trueup-${stopped.pid}-*`)).toEqual([]);

      const branches = Object.keys(pipeline.refs()).filter((name) => name.includes("/trueup/"));
      expect([branches.length, (await pipeline.pulls()).length]).toEqual(
        step === "publish" ? [expect.any(Number), branches.length] : [0, 0],
      );
      const attempts = globSync(path.join(pipeline.state, "attempts", "*-*", "out"));
      const partial = attempts.flatMap((out) => globSync(path.join(out, "partial.patch")));
      expect(partial.map((file) => readFileSync(file, "utf8").includes("src/slugify.ts"))).toEqual(
        step === "agent" ? [true] : [],
      );

      writeAgent([mend, honestTest]);
      const resumed = await start().ended;
      expect([resumed.code, resumed.stderr]).toEqual([
        0,
        moment.captured
          ? expect.not.stringContaining("▸ the agent works")
          : expect.stringContaining("▸ the agent works"),
      ]);
      expect(resumed.stdout).toContain("Status: published");
      const ours = Object.keys(pipeline.refs()).filter((name) => name.includes("/trueup/"));
      expect([ours.length, (await pipeline.pulls()).map((one) => one.state)]).toEqual([1, ["open"]]);
      expect(globSync(path.join(pipeline.state, "attempts", "*-*"))).toHaveLength(1);
      expect(readdirSync(path.join(pipeline.state, "rooms"))).toEqual([]);
    },
  );

  test("[F15] an agent that will not end and ignores every signal is dead within the interruption, with all it started", async () => {
    useInstalledDependencies();
    const stubborn =
      "trap '' INT TERM HUP; (trap '' INT TERM HUP; setsid sleep 3600 &) ; echo I have begun; while :; do sleep 1; done";
    writeAgent([{ run: ["/bin/sh", "-c", stubborn] }]);
    const stopped = await interruptAt({ line: "I have begun", running: /sleep 3600/u, captured: false });
    expect(stopped.code).toBe(130);
    expect(stopped.seen.map((one) => one.command).join("\n")).toContain("sleep 3600");
    expect(stopped.seen.filter(isAlive).map((one) => one.command)).toEqual([]);
    expect(processesNaming(pipeline.home)).toEqual([]);
  });

  test("[F15] interrupted while a test hangs: no verdict is made of a run that was cut off", async () => {
    useInstalledDependencies();
    writeAgent([mend, addTests('\n  it("hangs", () => new Promise(() => {}), 0);\n')]);
    const stopped = await interruptAt({ ...(moments["verify"] as Moment), running: /vitest/u });
    expect([stopped.code, stopped.stdout]).toEqual([130, ""]);
    expect(stopped.seen.map((one) => one.command).join("\n")).toMatch(/vitest/u);
    expect(globSync(path.join(pipeline.state, "attempts", "*-*", "out", "verdict.json"))).toEqual([]);
    expect(stopped.seen.filter(isAlive)).toEqual([]);
  });

  test("[F15] two deliveries of one task at once: the second is attempt-locked with exit 2, and the first goes on", async () => {
    useInstalledDependencies();
    writeAgent([mend, honestTest, { say: "I have begun" }, { sleep_ms: 3_600_000 }]);
    const first = start();
    while (!first.stderr().includes("I have begun") && first.child.exitCode === null) await pause(5);
    const second = await start().ended;
    expect([second.code, second.stdout]).toEqual([2, ""]);
    expect(second.stderr).toMatch(/\[attempt-locked\]\n {2}Wait for it to end, or stop process \d+\./u);
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    expect(first.child.exitCode).toBeNull();
    process.kill(-(first.child.pid ?? 0), "SIGINT");
    expect((await first.ended).code).toBe(130);
  });

  test("[F15] a delivery that was killed outright leaves nothing running, and the same command takes over", async () => {
    useInstalledDependencies();
    writeAgent([mend, { say: "I have begun" }, { run: ["sleep", "3600"] }]);
    const run = start();
    while (!run.stderr().includes("I have begun") && run.child.exitCode === null) await pause(5);
    const seen = descendantsOf(run.child.pid ?? 0);
    run.child.kill("SIGKILL");
    expect((await run.ended).signal).toBe("SIGKILL");
    // Nobody is left to wait for them: the kernel ends them with their parent, a moment later.
    while (seen.some(isAlive)) await pause(5);
    writeAgent([mend, honestTest]);
    const next = await start().ended;
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining("Status: published")]);
    expect((await pipeline.pulls()).map((one) => one.state)).toEqual(["open"]);
    expect(processesNaming(pipeline.home)).toEqual([]);
    expect(readProc("self", "mountinfo")).not.toContain(pipeline.home);
  });

  test("[F15] trueup check: interrupted while tests run there is no verdict, the work tree is as it was", async () => {
    useInstalledDependencies();
    const work = pipeline.clone("work");
    const source = path.join(work, "src", "slugify.ts");
    writeFileSync(source, readFileSync(source, "utf8").replace("\\s/g", "\\s+/g"));
    const contract = path.join(pipeline.home, "contract.json");
    writeFileSync(contract, JSON.stringify(canaryContract));
    const before = readFileSync(path.join(work, ".git", "index"), "base64");
    const out = path.join(pipeline.home, "out");
    const run = start(["check", "--contract", contract, "--out", out], work);
    const stopped = await interruptAt(moments["verify"] as Moment, run);
    expect([stopped.code, stopped.stdout]).toEqual([130, ""]);
    expect(stopped.stderr).toContain("[interrupted]");
    expect(stopped.seen.map((one) => one.command).join("\n")).toMatch(/vitest/u);
    expect([stopped.seen.filter(isAlive), processesNaming(pipeline.home)]).toEqual([[], []]);
    expect(existsSync(path.join(out, "verdict.json"))).toBe(false);
    expect(readFileSync(path.join(work, ".git", "index"), "base64")).toBe(before);
  });
});
