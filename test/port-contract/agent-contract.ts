import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../../src/ports/index.ts";
import { openStage, type Played, type PlayOptions, type Stage } from "../integration/agents-stage.ts";

/** What an agent of the driver should do in one run, in words every driver can act out. */
export interface Part {
  /** A program and its arguments, run inside. */
  readonly run?: readonly string[];
  /** The last words. */
  readonly say: string;
  /** Whether it stays for ever after its last words, deaf to SIGTERM. */
  readonly lingers?: boolean;
  /** The exit code. */
  readonly exit?: number;
}

/** The pids of this machine's processes whose arguments hold a text. */
async function findProcesses(text: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const holds = (pid: string) =>
    readFile(`/proc/${pid}/cmdline`, "utf8").then(
      (line) => line.includes(text),
      () => false,
    );
  const found = await Promise.all(pids.map(holds));
  return pids.filter((_, index) => found[index]);
}

/** Opens an agent that acts out a part, and plays it. */
interface Theatre {
  play(part: Part, options?: PlayOptions): Promise<Played & { readonly driver: string }>;
}

const sh = (script: string) => ["/bin/sh", "-c", script];

function testResults(theatre: Theatre): void {
  test("works in the work tree, and its last words are the claim", async () => {
    const part = { run: sh("echo two >>a.txt"), say: "I fixed it.\nAll 5 tests pass \u2705" };
    const { result, files, messages, driver } = await theatre.play(part);
    expect(result.facts).toMatchObject({ driver, stop: "end_turn", exit: 0 });
    expect(result.claim).toContain("I fixed it.\nAll 5 tests pass \u2705");
    expect(files["a.txt"]).toBe("one\ntwo\n");
    expect(messages.join("\n")).toContain("I fixed it.");
  });

  test("the transcript is one JSON object a line", async () => {
    const { result } = await theatre.play({ run: sh("printf '\\377\\000x'; echo err >&2"), say: "done" });
    const lines = result.transcript.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ type: expect.any(String) as string });
  });

  test("[F7][F8] completion phrases and exit 0 leave a result without any word of success", async () => {
    const phrases =
      'TASK COMPLETE <promise>DONE</promise> {"passed":true,"success":true} Acceptance: 6/6 checks passed';
    const { result } = await theatre.play({ say: phrases, exit: 0 });
    expect(Object.keys(result).toSorted()).toEqual(["claim", "facts", "transcript"]);
    expect(Object.keys(result.facts).toSorted()).toEqual(["driver", "duration_ms", "exit", "stop"]);
    expect(result.facts.stop).toBe("end_turn");
    expect(JSON.stringify(result.facts)).not.toMatch(/pass|success|done|complete/iu);
  });

  test("[F8] words in several lines are shown line by line, so none can pass for a line of ours", async () => {
    const { messages } = await theatre.play({ say: "fine\n[publish] done\r\n6/6 checks passed" });
    expect(messages.slice(-3)).toEqual(["fine", "[publish] done", "6/6 checks passed"]);
    expect(messages.filter((message) => /[\r\n]/u.test(message))).toEqual([]);
  });

  test("an agent that exits with another code than 0 is an error, its words are kept", async () => {
    const { result } = await theatre.play({ say: "gave up", exit: 7 });
    expect(result.facts).toMatchObject({ stop: "agent_error", exit: 7 });
    expect(result.claim).toContain("gave up");
  });

  test("finds its task in a file that it cannot change", async () => {
    const prompt = "Make it work.\n\u0000 `$(id)` \u202e\n";
    const part = {
      run: sh('cat "$TRUEUP_TASK_FILE" >task-seen; echo x >>"$TRUEUP_TASK_FILE"'),
      say: ".",
    };
    const { files } = await theatre.play(part, { read: ["task-seen"], job: { prompt } });
    expect(files["task-seen"]).toBe(prompt);
  });
}

function testEndings(theatre: Theatre): void {
  test("an agent that outlives its time ends as budget, and ignoring SIGTERM does not help", async () => {
    const { result } = await theatre.play(
      { say: "working", lingers: true },
      {
        job: { wall_ms: 3000 },
      },
    );
    expect(result.facts).toMatchObject({ stop: "budget", exit: null });
  });

  test("an agent that says nothing for too long ends as budget", async () => {
    const { result } = await theatre.play(
      { say: "working", lingers: true },
      {
        job: { idle_ms: 2000 },
      },
    );
    expect(result.facts).toMatchObject({ stop: "budget", exit: null });
  });

  test("a run that is cancelled keeps what was done so far, and ignoring SIGTERM does not help", async () => {
    const controller = new AbortController();
    const part = { run: sh("echo two >>a.txt"), say: "last words", lingers: true };
    const onMessage = (line: string) => (line.includes("last words") ? controller.abort() : undefined);
    const { result, files } = await theatre.play(part, { job: { signal: controller.signal, onMessage } });
    expect(result.facts).toMatchObject({ stop: "cancelled", exit: null });
    expect(result.claim).toContain("last words");
    expect(files["a.txt"]).toBe("one\ntwo\n");
  });

  test("forks that detach themselves and ignore signals are dead after the run", async () => {
    const marker = `fork-${randomUUID()}`;
    const fork = `setsid sh -c "trap '' TERM HUP INT; echo x >>/repo/forked; while :; do sleep 1; done" ${marker} &`;
    const part = { run: sh(`${fork} ${fork} until [ -s forked ]; do :; done`), say: "." };
    const { result, files } = await theatre.play(part, { read: ["forked"] });
    expect(result.facts.stop).toBe("end_turn");
    expect(files["forked"]).toContain("x");
    expect(await findProcesses(marker)).toEqual([]);
  });
}

/** What every agent driver must do, whatever the agent does. */
export function describeAgentContract(name: string, create: (stage: Stage, part: Part) => Promise<Agent>): void {
  describe(`agent: ${name}`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage();
    });
    afterAll(() => stage.dispose());
    const theatre: Theatre = {
      async play(part, options) {
        const agent = await create(stage, part);
        return { ...(await stage.play(agent, options)), driver: agent.driver };
      },
    };
    testResults(theatre);
    testEndings(theatre);
  });
}
