import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSessionStore } from "../../src/adapters/session-store/files/session-store.ts";
import { createUuidIds } from "../../src/adapters/machine/node/uuid-ids.ts";
import type { Session } from "../../src/ports/index.ts";
import { openSessionStage, type Ended, type SessionStage } from "./session-stage.ts";

const contract = { commands: [{ command: "true" }] };
const fence = `Do it.\n\n\`\`\`acceptance\n${JSON.stringify(contract)}\n\`\`\`\n`;

/** What `trueup start --json` and `status --json` print. */
interface Printed {
  readonly id: string;
  readonly work_tree: string;
  readonly base: Session["base"];
  readonly contract_digest: string | null;
  readonly contract_source: string;
  readonly policy: Session["policy"];
  readonly closed: string | null;
}

const printed = ({ code, stdout, stderr }: Ended): Printed => {
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.toString()) as Printed;
};

describe("trueup start and what finds its session", () => {
  let stage: SessionStage;
  beforeAll(() => {
    stage = openSessionStage();
  });
  afterAll(() => stage[Symbol.dispose]());

  const put = (name: string, text: string): string => {
    writeFileSync(path.join(stage.root, name), text);
    return path.join(stage.root, name);
  };

  test("without a session nothing runs: 125 and the line to type", async () => {
    const marker = path.join(stage.root, "ran");
    const ended = await stage.run(["touch", marker]);
    expect(ended).toMatchObject({ code: 125, stdout: Buffer.alloc(0) });
    expect(ended.stderr).toContain("[session-missing]\n  Run `trueup start`");
    expect(() => statSync(marker)).toThrow(/ENOENT/u);
  });

  test("base and contract are pinned outside the tree; commits and edits that follow move neither", async () => {
    const head = stage.git("rev-parse", "HEAD").trim();
    const start = printed(await stage.trueup(["start", put("task.md", fence), "--json"]));
    expect(start).toMatchObject({
      work_tree: stage.workTree,
      base: { commit: head },
      contract_source: "given",
      closed: null,
    });
    expect(start.contract_digest).toMatch(/^sha256:/u);
    const directory = path.join(stage.state, "sessions", start.id);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(directory, "session.json")).mode & 0o777).toBe(0o600);
    put("task.md", "changed");
    writeFileSync(path.join(stage.workTree, "file.txt"), "later\n");
    stage.git("commit", "-qam", "later");
    const status = printed(await stage.trueup(["status", "--json"]));
    expect(status).toMatchObject({ id: start.id, base: { commit: head }, contract_digest: start.contract_digest });
  });

  test("the text says what is pinned, and that nothing is when nothing is", async () => {
    const { stdout } = await stage.trueup(["start"]);
    expect(stdout.toString()).toMatch(/^Session [0-9a-f-]{36}\n/u);
    expect(stdout.toString()).toContain("contract   none: nothing will be machine-checked");
    expect(stdout.toString()).toMatch(/Closed session [0-9a-f-]{36}\./u);
  });

  test("a new start closes the session before it; subdirectories find the new one, and a closed one cannot be named", async () => {
    const first = printed(await stage.trueup(["start", "--json"]));
    const second = printed(await stage.trueup(["start", "--json"]));
    expect(second.closed).toBe(first.id);
    const below = path.join(stage.workTree, "a", "b");
    mkdirSync(below, { recursive: true });
    expect(printed(await stage.trueup(["status", "--json"], { cwd: below })).id).toBe(second.id);
    const env = { TRUEUP_SESSION: first.id };
    expect(await stage.run(["true"], [], { env })).toMatchObject({ code: 125 });
    const outside = { cwd: stage.root, env: { TRUEUP_SESSION: second.id } };
    expect(printed(await stage.trueup(["status", "--json"], outside)).id).toBe(second.id);
    expect(await stage.run(["true"], [], { env: { TRUEUP_SESSION: "../../etc" } })).toMatchObject({ code: 125 });
  });

  test("a linked work tree has a session of its own, also inside the main one: a green run there is none here", async () => {
    const main = printed(await stage.trueup(["start", "--json"]));
    const linked = path.join(stage.workTree, "linked");
    stage.git("worktree", "add", "-q", linked);
    expect(await stage.run(["true"], [], { cwd: linked })).toMatchObject({ code: 125 });
    const own = printed(await stage.trueup(["start", "--json"], { cwd: linked }));
    expect(own).toMatchObject({ work_tree: linked, closed: null });
    expect(printed(await stage.trueup(["status", "--json"])).id).toBe(main.id);
    expect(printed(await stage.trueup(["status", "--json"], { cwd: linked })).id).toBe(own.id);
    stage.git("worktree", "remove", "--force", linked);
  });

  test("contract and policy of the base count; the work tree's own copies do not", async () => {
    const place = path.join(stage.workTree, ".trueup");
    mkdirSync(place);
    writeFileSync(path.join(place, "contract.json"), JSON.stringify(contract));
    writeFileSync(path.join(place, "config.json"), JSON.stringify({ version: 1, failed_records: "any" }));
    const before = printed(await stage.trueup(["start", "--json"]));
    expect(before).toMatchObject({ contract_source: "none", policy: { failed_records: "retries" } });
    stage.git("add", "-A");
    stage.git("commit", "-qm", "policy");
    writeFileSync(path.join(place, "config.json"), JSON.stringify({ version: 1, failed_records: "retries" }));
    const after = printed(await stage.trueup(["start", "--json"]));
    expect(after).toMatchObject({ contract_source: "standing", policy: { failed_records: "any" } });
    writeFileSync(path.join(place, "config.json"), JSON.stringify({ version: 1, failed_records: "none" }));
    stage.git("commit", "-qam", "wrong");
    const wrong = await stage.trueup(["start", "--json"]);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stdout.toString()).toContain("config-invalid");
    stage.git("reset", "-q", "--hard", "HEAD~2");
  });

  test.each([
    { name: "a base that does not exist", args: ["--base", "no-such-branch"], code: "base-not-found" },
    { name: "a contract that is none", args: ["--contract", "CONTRACT"], code: "contract-invalid" },
    { name: "two contracts", args: ["TASK", "--contract", "CONTRACT"], code: "usage" },
    { name: "a file that is not there", args: ["no-such-task.md"], code: "file-not-found" },
  ])("$name is refused, and the open session stays", async ({ args, code }) => {
    const open = printed(await stage.trueup(["start", "--json"]));
    const files: Record<string, string> = { CONTRACT: put("bad.json", '{"commands":[]}'), TASK: put("two.md", fence) };
    const ended = await stage.trueup(["start", ...args.map((word) => files[word] ?? word), "--json"]);
    expect(ended.code).toBe(2);
    expect(ended.stdout.toString()).toContain(`"code":"${code}"`);
    expect(printed(await stage.trueup(["status", "--json"])).id).toBe(open.id);
  });

  test("state inside the work tree, open to others, or damaged is refused, and nothing runs", async () => {
    const inside = path.join(stage.workTree, "state");
    mkdirSync(inside, { mode: 0o700 });
    const ended = await stage.trueup(["start", "--json"], { env: { TRUEUP_STATE: inside } });
    expect(ended.stdout.toString()).toContain("place-in-work-tree");
    const { id } = printed(await stage.trueup(["start", put("task.md", fence), "--json"]));
    const directory = path.join(stage.state, "sessions", id);
    chmodSync(directory, 0o755);
    expect((await stage.run(["true"])).stderr).toContain("[state-insecure]");
    chmodSync(directory, 0o700);
    const file = path.join(directory, "contract.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("true", "echo"));
    const damaged = await stage.run(["true"]);
    expect(damaged.code).toBe(125);
    expect(damaged.stderr).toContain("its contract is not the one that was pinned");
    expect(printed(await stage.trueup(["start", "--json"])).closed).toBeNull();
  });

  test("list shows every session, oldest first; the store closes each once", async () => {
    const clock = { now: () => 1_700_000_000_000 };
    const store = createSessionStore({ state: path.join(stage.root, "other"), clock, ids: createUuidIds(clock) });
    const pinned = {
      work_tree: stage.workTree,
      base: { commit: "0".repeat(40), tree: "0".repeat(40), ref: "HEAD", source: "HEAD" },
      contract: null,
      contract_digest: null,
      policy: { failed_records: "retries" },
    } as const;
    const first = await store.start(pinned);
    const second = await store.start(pinned);
    await store.close(second.id);
    await store.close(second.id);
    const listed = await store.list();
    expect(listed.map((session) => [session.id, session.closed_at !== null])).toEqual([
      [first.id, true],
      [second.id, true],
    ]);
    expect(await store.find(stage.workTree)).toBeNull();
  });
});
