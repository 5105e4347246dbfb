import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTaskFile } from "./parse-task.ts";
import { agentPrompt, taskKey } from "./task-key.ts";

const block = '```acceptance\n{"max_added_lines": 3}\n```';
const markdown = (head: string, body = `Do it.\n\n${block}\n`): string =>
  `---\ntitle: Collapse\nrepo: acme/slug\n${head}---\n${body}`;
const json = (more: object): string =>
  JSON.stringify({ title: "Collapse", repo: "acme/slug", prompt: "Do it.", ...more });

const invalidMarkdown: readonly [name: string, text: string, key: string, words: string][] = [
  ["no front matter", "# T\n", "task", "no front matter"],
  ["an open front matter", "---\ntitle: a\n", "task", "not closed"],
  ["an empty front matter", "---\n---\nx", "task", "keys and values"],
  ["a list", "---\n- a\n---\nx", "task", "keys and values"],
  ["a repeated key", markdown("title: b\n"), "task", "unique"],
  ["a tag", markdown("agent: !!js/function x\n"), "task", "tag"],
  ["a known tag", markdown("agent: !!binary aGk=\n"), "task", "tag"],
  ["an anchor", markdown("agent: &a x\n"), "task", "anchor"],
  ["a merge key", markdown("<<: {agent: x}\n"), '["<<"]', "not a known key"],
  ["an unknown key", markdown("repository: x\n"), "repository", "not a known key"],
  ["__proto__", markdown("__proto__: x\n"), "__proto__", "not a known key"],
  ["depth that would overflow the stack", markdown(`agent: ${"[".repeat(20_000)}\n`), "task", "not valid YAML"],
  ["a number as title", "---\ntitle: 12\nrepo: a/b\n---\nx", "title", "must be a string"],
  ["no title", "---\nrepo: a/b\n---\nx", "title", "is missing"],
  ["a title of two lines", '---\ntitle: "a\\nb"\nrepo: a/b\n---\nx', "title", "one line"],
  ["a title too long", `---\ntitle: ${"a".repeat(201)}\nrepo: a/b\n---\nx`, "title", "at most 200"],
  ["an unknown authority", markdown("authority: root\n"), "authority", "must be"],
  ["a negative budget", markdown("budget: {minutes: -1}\n"), "budget.minutes", "at least 1"],
  ["an unknown budget", markdown("budget: {hours: 1}\n"), "budget.hours", "not a known key"],
  ["infinite money", markdown("budget: {usd: .inf}\n"), "budget.usd", "a number"],
  ["a date without time zone", markdown("created_at: 2026-01-01T00:00:00\n"), "created_at", "form"],
  ["a date in the future", markdown("created_at: 2999-01-01T00:00:00Z\n"), "created_at", "future"],
  ["a base that is a flag", markdown("base_ref: --upload-pack=x\n"), "base_ref", "begins with -"],
  ["a base that is a range", markdown("base_ref: a..b\n"), "base_ref", "not the name"],
  ["an empty body", markdown("", " \n"), "prompt", "is empty"],
  ["two blocks", markdown("", `${block}\n\n${block}`), "contract", "2 acceptance blocks"],
  ["an unclosed block", markdown("", block.slice(0, -3)), "contract", "not closed"],
  ["an invalid contract", markdown("", block.replace("3", "-3")), "contract.max_added_lines", "negative"],
  [
    "an intent other than the contract's",
    markdown("intent: docs\n", 'x\n\n```acceptance\n{"intent":"chore","max_added_lines":1}\n```'),
    "intent",
    "the contract says chore",
  ],
];

const invalidJson: readonly [name: string, text: string, key: string, words: string][] = [
  ["no JSON", "title: x", "task", "not JSON"],
  ["a repeated key", '{"title":"a","title":"b"}', "title", "twice"],
  ["an unknown key", json({ body: "x" }), "body", "not a known key"],
  ["no prompt", JSON.stringify({ title: "a", repo: "a/b" }), "prompt", "is missing"],
  ["an unknown key of the contract", json({ contract: { max: 1 } }), "contract.max", "not a known key"],
  ["an empty contract", json({ contract: {} }), "contract", "is empty"],
  ["a path outside", json({ contract: { changed_files_only: ["../a"] } }), "contract.changed_files_only[0]", "leaves"],
  ["a block in the prompt", json({ prompt: block }), "prompt", "key contract"],
];

const options = { kind: "markdown", now: Date.UTC(2026, 0, 1) } as const;

describe("parseTaskFile", () => {
  it.each(invalidMarkdown)("[D6] Markdown with %s is refused", (_name, text, key, words) => {
    const result = parseTaskFile(text, options);
    const issue = result.ok ? undefined : result.issues.find((each) => each.key === key);
    expect(issue?.reason, JSON.stringify(result)).toContain(words);
  });

  it.each(invalidJson)("[D6] JSON with %s is refused", (_name, text, key, words) => {
    const result = parseTaskFile(text, { kind: "json" });
    const issue = result.ok ? undefined : result.issues.find((each) => each.key === key);
    expect(issue?.reason, JSON.stringify(result)).toContain(words);
  });

  it("[D1] reads front matter, body and the one block", () => {
    const head =
      "base_ref: main\nagent: 'scripted:a.json'\nauthority: auto_safe\nbudget:\n  minutes: 3\n  usd: 0.5\ncreated_at: 2026-01-01T00:00:00Z\n";
    expect(parseTaskFile(markdown(head), options)).toMatchObject({
      ok: true,
      task: {
        title: "Collapse",
        address: { kind: "name", owner: "acme", name: "slug" },
        base_ref: "main",
        agent: "scripted:a.json",
        authority: "auto_safe",
        intent: "behaviour",
        budget: { minutes: 3, usd: 0.5 },
        created_at: 1_767_225_600,
        contract: { max_added_lines: 3 },
      },
    });
  });

  it("reads the same task from Windows line ends and from JSON", () => {
    const unix = parseTaskFile(markdown("", "Do it."), options);
    const windows = parseTaskFile(markdown("", "Do it.").replaceAll("\n", "\r\n"), options);
    expect(windows).toEqual(unix);
    expect(parseTaskFile(json({}), { kind: "json" })).toEqual(unix);
  });

  it("takes the intent from the contract when the task names none", () => {
    const result = parseTaskFile(json({ contract: { intent: "docs", max_added_lines: 1 } }), { kind: "json" });
    expect(result.ok && result.task.intent).toBe("docs");
  });

  it("[D12] the same task with another contract has the same key and another digest, so that the drift is found out", () => {
    const read = (text: string): { key: string; contract: string | null } => {
      const result = parseTaskFile(text, options);
      if (!result.ok) throw new Error(JSON.stringify(result.issues));
      return { key: taskKey(result.task), contract: result.task.contract_digest };
    };
    const pinned = read(markdown(""));
    expect(read(markdown("", `Do  it!\n\n${block.replace(": 3", ":   3")}\n`))).toEqual(pinned);
    expect(read(markdown("authority: operator\nagent: command:a\nbudget: {minutes: 9}\n"))).toEqual(pinned);
    const drifted = read(markdown("", `Do it.\n\n${block.replace("3", "4")}\n`));
    expect(drifted.key).toBe(pinned.key);
    expect(drifted.contract).not.toBe(pinned.contract);
    expect(read(markdown("base_ref: dev\n")).key).not.toBe(pinned.key);
    expect(read(markdown("").replace("Collapse", "Expand")).key).not.toBe(pinned.key);
    expect(read(markdown("").replace("acme", "other")).key).not.toBe(pinned.key);
  });

  it("[D12] a held-out test changes the digest and never shows in the prompt", () => {
    const withHidden = (passed: number): string => {
      const hidden = {
        path: "secret.test.ts",
        sha256: "0".repeat(64),
        command: "npx vitest run secret.test.ts",
        passed,
      };
      return json({ contract: { max_added_lines: 1, held_out_tests: [hidden] } });
    };
    const [one, two] = [1, 2].map((passed) => parseTaskFile(withHidden(passed), { kind: "json" }));
    if (one?.ok !== true || two?.ok !== true) throw new Error("both are valid");
    expect(one.task.contract_digest).not.toBe(two.task.contract_digest);
    expect(agentPrompt(one.task)).toBe(agentPrompt(two.task));
    expect(agentPrompt(one.task)).not.toContain("secret");
  });

  it("never throws, whatever the text", () => {
    const pieces = fc.constantFrom(
      "---\n",
      "title: a\n",
      "repo: a/b\n",
      "x",
      ": ",
      "- ",
      "&a ",
      "*a",
      "!!b ",
      "\n",
      "{",
      "}",
      '"',
      "```acceptance\n",
      "? ",
      "|\n",
      "%YAML 1.1\n",
    );
    const text = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(""));
    fc.assert(fc.property(text, (words) => void parseTaskFile(`---\n${words}`, { kind: "markdown" })));
    fc.assert(fc.property(fc.json(), (words) => void parseTaskFile(words, { kind: "json" })));
  });
});
