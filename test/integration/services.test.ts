import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withServices, type PlannedService } from "../../src/app/gather/with-services.ts";
import { canary, canaryContract, mend } from "./pipeline-canary.ts";
import { openPipeline, type Pipeline, type Step } from "./pipeline-stage.ts";

const directory = mkdtempSync(path.join(tmpdir(), "trueup-services-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs words as the sandbox would, with a channel on descriptor 4; ends the group with the command, as a namespace does. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [file = "", ...args] = argv;
  const child = spawn(file, args, {
    detached: true,
    env: { PATH: "/usr/bin:/bin", ...env },
    stdio: ["ignore", "pipe", "pipe", "ignore", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  try {
    process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
  } catch {
    // No service is left.
  }
  return { code, ...text };
}

const service = (script: string, ready: readonly string[] = ["true"]): PlannedService => ({
  name: "db",
  argv: ["sh", "-c", script],
  ready,
});

describe("a command behind services", () => {
  test("starts when they are ready, keeps its words and its exit code", async () => {
    const file = path.join(directory, "up");
    const odd = "a 'b' \"c\" $HOME `id` \\n\nnext";
    const argv = withServices(
      ["sh", "-c", 'printf %s "$1"; cat "$2"; exit 7', "x", odd, file],
      [service(`sleep 0.3; echo serving > ${file}; exec sleep 60`, ["test", "-s", file])],
      [],
    );
    expect(await run(argv)).toEqual({ code: 7, stdout: `${odd}serving\n`, stderr: "" });
  });

  test("alone sees the witness's variables and descriptor", async () => {
    const file = path.join(directory, "seen");
    const look = `echo "\${TRUEUP_CHANNEL-none} \${NODE_OPTIONS-none} $(ls /proc/self/fd | tr '\\n' ' ')"`;
    const argv = withServices(
      ["sh", "-c", `echo "$TRUEUP_CHANNEL $NODE_OPTIONS"; : >&4`],
      [service(`${look} > ${file}; exec sleep 60`, ["test", "-s", file])],
      ["NODE_OPTIONS"],
    );
    const ended = await run(argv, { TRUEUP_CHANNEL: "4", NODE_OPTIONS: "--no-warnings" });
    expect(ended).toEqual({ code: 0, stdout: "4 --no-warnings\n", stderr: "" });
    const seen = readFileSync(file, "utf8").trim().split(" ");
    expect(seen.slice(0, 5)).toEqual(["none", "none", "0", "1", "2"]);
    expect(seen.filter((each) => /^[4-9]$/u.test(each))).toEqual([]);
  });

  test("is not started when one ends before it is ready, and its last words are shown", async () => {
    const argv = withServices(["echo", "ran"], [service("echo no such cluster; exit 3", ["false"])], []);
    expect(await run(argv)).toEqual({
      code: 97,
      stdout: "",
      stderr: "no such cluster\ntrueup: the service db ended before it was ready\n",
    });
  });
});

const server = `import { createServer } from "node:http";
createServer((_, response) => response.end("a-b")).listen(8090, "127.0.0.1");
`;
const probe = `const answer = await fetch("http://127.0.0.1:8090/").catch(() => null);
process.exitCode = answer?.ok ? 0 : 1;
`;
const served: Step = {
  write: {
    path: "test/served.test.ts",
    text: `import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";
it("gives what the server gives", async () => {
  const wanted = await (await fetch("http://127.0.0.1:8090/")).text();
  expect(slugify("a  b")).toBe(wanted);
});
`,
  },
};

describe("services of a contract", () => {
  let pipeline: Pipeline;
  beforeAll(() => {
    pipeline = openPipeline({ ...canary, "server.mjs": server, "ready.mjs": probe });
  });
  afterAll(() => pipeline[Symbol.dispose]());
  const contract = (ready: string) => ({
    ...canaryContract,
    changed_files_only: ["src/slugify.ts", "test/served.test.ts"],
    changed_files_required: ["src/slugify.ts"],
    services: [{ name: "answers", command: "node server.mjs", ready }],
  });

  test("stand beside every run of the tests, and cost the grade", async () => {
    const run = await pipeline.deliver({
      title: "served",
      contract: contract("node ready.mjs"),
      steps: [mend, served],
    });
    expect([run.error, run.blocks]).toEqual([null, []]);
    expect(run.verdict?.grade.value).toBe("B");
    expect(run.verdict?.grade.costs).toContain("Services ran beside the tests, as the contract asks: answers.");
  });

  test("that never come up are named, and no test is believed", async () => {
    const broken = {
      ...contract("node ready.mjs"),
      services: [{ name: "answers", command: "node -e 0", ready: "false" }],
    };
    const run = await pipeline.deliver({ title: "not served", contract: broken, steps: [mend, served] });
    expect(run.exit).not.toBe(0);
    expect(JSON.stringify(run.answer)).toContain("the service answers ended before it was ready");
  });
});
