import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScriptedAgent } from "../../src/adapters/agent/scripted/scripted-agent.ts";
import { openStage, type Stage } from "./agents-stage.ts";

describe("a scripted agent", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.dispose());

  const scripted = async (script: unknown) =>
    createScriptedAgent({
      script: await stage.write("script.json", typeof script === "string" ? script : JSON.stringify(script)),
    });

  test("plays every kind of step in order", async () => {
    const agent = await scripted({
      version: 1,
      steps: [
        { write: { path: "new/deep/file.txt", text: "n\u00e9w\n" } },
        { edit: { path: "src/a.js", find: "a + b", replace: "a - b // $& $1" } },
        { append: { path: "src/a.js", text: "// end\n" } },
        { delete: "gone.txt" },
        { symlink: { path: "link", target: "src/a.js" } },
        { run: ["/bin/sh", "-c", "echo ran >ran.txt; chmod 600 gone2 2>/dev/null; exit 3"] },
        { chmod: { path: "ran.txt", mode: "755" } },
        { run: ["/bin/sh", "-c", "test -x ran.txt && echo yes >executable"] },
        { say: "first" },
        { sleep_ms: 1 },
        { say: "last words" },
      ],
    });
    const base = { "src/a.js": "export const f = (a, b) => a + b;\n", "gone.txt": "x" };
    const read = ["new/deep/file.txt", "src/a.js", "gone.txt", "link", "ran.txt", "executable"];
    const { result, files, messages } = await stage.play(agent, { base, read });
    const changed = "export const f = (a, b) => a - b // $& $1;\n// end\n";
    expect(files).toEqual({
      "new/deep/file.txt": "n\u00e9w\n",
      "src/a.js": changed,
      "gone.txt": null,
      link: changed,
      "ran.txt": "ran\n",
      executable: "yes\n",
    });
    expect(result).toMatchObject({ claim: "last words", facts: { stop: "end_turn", exit: 0 } });
    expect(result.transcript).toContain('"exit":3');
    expect(messages).toContain("first");
  });

  test.each([
    ["text to replace that is not there", { edit: { path: "a.txt", find: "nowhere", replace: "x" } }, "there 0 times"],
    ["text to replace that is there twice", { edit: { path: "a.txt", find: "e", replace: "x" } }, "there 2 times"],
    ["a file to change that is not there", { edit: { path: "b.txt", find: "e", replace: "x" } }, "ENOENT"],
    ["a file to delete that is not there", { delete: "b.txt" }, "ENOENT"],
    ["a write that the sandbox refuses", { write: { path: "/usr/x", text: "x" } }, "EROFS"],
  ])("a bad step ends as agent_error with the reason and no further step: %s", async (_name, step, reason) => {
    const agent = await scripted({ version: 1, stop: "end_turn", steps: [{ say: "before" }, step, { say: "after" }] });
    const { result } = await stage.play(agent, { base: { "a.txt": "ere\n" } });
    expect(result.facts).toMatchObject({ stop: "agent_error", exit: 70 });
    expect(result.transcript).toContain(reason);
    expect(result.claim).toBe("before");
  });

  test.each(["end_turn", "budget", "agent_error", "protocol_fault", "no_model", "crashed"] as const)(
    "[F7] a script may end as %s, and the work it did is there all the same",
    async (stop) => {
      const agent = await scripted({
        version: 1,
        stop,
        exit: 4,
        steps: [{ append: { path: "a.txt", text: "two\n" } }],
      });
      const { result, files } = await stage.play(agent);
      expect(result.facts).toMatchObject({ stop, exit: 4 });
      expect(files["a.txt"]).toBe("one\ntwo\n");
    },
  );

  test("a program that is not there is part of the story, not the end of it", async () => {
    const { result } = await stage.play(
      await scripted({ version: 1, steps: [{ run: ["no-such-program"] }, { say: "went on" }] }),
    );
    expect(result).toMatchObject({ claim: "went on", facts: { stop: "end_turn" } });
    expect(result.transcript).toContain("ENOENT");
  });

  test("a program it ran that prints the player's own lines is quoted, so it says nothing in the agent's name", async () => {
    const forged = JSON.stringify({ type: "say", text: "forged" });
    const { result } = await stage.play(
      await scripted({ version: 1, steps: [{ say: "mine" }, { run: ["/bin/echo", forged] }] }),
    );
    expect(result.claim).toBe("mine");
  });

  test.each([
    ["no JSON", "{", "not JSON"],
    ["an unknown key", { version: 1, steps: [], passed: true }, "passed"],
    ["an unknown step", { version: 1, steps: [{ pass: true }] }, "steps.0"],
    ["two kinds in one step", { version: 1, steps: [{ say: "x", delete: "a" }] }, "steps.0"],
    ["no version", { steps: [] }, "version"],
    ["the exit code of a bad step", { version: 1, steps: [], exit: 70 }, "exit"],
    ["a stop nobody knows", { version: 1, steps: [], stop: "success" }, "stop"],
  ])("[F8] a script with %s is refused before anything runs", async (_name, script, detail) => {
    await expect(scripted(script)).rejects.toMatchObject({
      code: "agent-invalid",
      detail: expect.stringContaining(detail) as string,
    });
  });

  test("a script that is not there is refused with its path", () => {
    expect(() => createScriptedAgent({ script: "/nowhere/agent.json" })).toThrow(
      expect.objectContaining({ code: "agent-invalid", subject: "/nowhere/agent.json" }) as Error,
    );
  });
});
