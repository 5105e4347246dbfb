import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectJsonRefusal, expectRefusal, openStage, type Stage } from "./bad-input-stage.ts";

const block = (text: string): string => `Do it.\n\n\`\`\`acceptance\n${text}\n\`\`\`\n`;
const command = (words: string): string => JSON.stringify({ tests: [{ command: words, passed: 1 }] });

/** Each contract with the key that is wrong and the reason that a person is given. */
const wrong: readonly (readonly [what: string, file: string, text: string | Buffer, key: string, reason: RegExp])[] = [
  ["not JSON", "c.json", "not json", "contract", /is not JSON: a value is expected \(line 1, column 1\)/u],
  ["cut off", "c.json", '{"max_added_lines": 1', "contract", /is not JSON/u],
  ["an unknown key", "c.json", '{"max_added_lines":5,"nope":1}', "nope", /is not a known key/u],
  ["a repeated key", "c.json", '{"max_added_lines":5,"max_added_lines":6}', "max_added_lines", /is there twice/u],
  ["two blocks", "c.md", block('{"max_added_lines":1}').repeat(2), "contract", /there are 2 acceptance blocks/u],
  ["an unclosed block", "c.md", '```acceptance\n{"max_added_lines":1}\n', "contract", /is not closed \(line \d\)/u],
  ["no block", "c.md", "# Nothing here\n", "contract", /no fenced block with the info string `acceptance`/u],
  ["an empty block", "c.md", block(""), "contract", /there is nothing in it/u],
  ["an empty file", "c.json", "", "contract", /there is nothing in it/u],
  ["an empty object", "c.json", "{}", "contract", /is empty: it asks for nothing/u],
  ["a list", "c.json", "[]", "contract", /must be an object, not a list/u],
  ["null", "c.json", "null", "contract", /must be an object, not null/u],
  [
    "a path with ..",
    "c.json",
    '{"changed_files_only":["a/../../x"]}',
    "changed_files_only[0]",
    /leaves the repository/u,
  ],
  ["a NUL in a path", "c.json", '{"changed_files_only":["a\\u0000b"]}', "changed_files_only[0]", /holds a NUL/u],
  [
    "a raw NUL",
    "c.json",
    '{"changed_files_only":["a\0b"]}',
    "changed_files_only[0]",
    /a raw control character|holds a NUL character/u,
  ],
  ["an absolute path", "c.json", '{"changed_files_only":["/etc/x"]}', "changed_files_only[0]", /is an absolute path/u],
  ["a negative number", "c.json", '{"max_added_lines":-1}', "max_added_lines", /must not be negative/u],
  ["a fraction", "c.json", '{"max_added_lines":1.5}', "max_added_lines", /must be a whole number/u],
  ["a number without end", "c.json", '{"max_added_lines":1e999}', "max_added_lines", /too large to be finite/u],
  ["a chain of commands", "c.json", command("vitest run && true"), "tests[0].command", /holds & /u],
  ["a substitution", "c.json", command("vitest run $(id)"), "tests[0].command", /holds \$/u],
  ["a redirection", "c.json", command("vitest run > out"), "tests[0].command", /holds a redirection/u],
  ["a reporter flag", "c.json", command("vitest run --reporter=json"), "tests[0].command", /reporter flags are ours/u],
  [
    "an output flag",
    "c.json",
    command("npx vitest run --outputFile x"),
    "tests[0].command",
    /not allowed with vitest/u,
  ],
  ["a config flag", "c.json", command("vitest run -c x.ts"), "tests[0].command", /config and root come from the base/u],
  ["an unknown runner", "c.json", command("make test"), "tests[0].command", /the runner "make" is not known; known: /u],
  ["terminal codes in a key", "c.json", '{"\\u001b[2Jx":1}', '["\\u001b[2Jx"]', /is not a known key/u],
];

describe("a contract that is not valid", () => {
  let stage: Stage;
  beforeAll(() => {
    stage = openStage();
  });
  afterAll(() => stage[Symbol.dispose]());

  test.each(wrong)("%s is refused by contract check, check and deliver with key and reason", async (...row) => {
    const [, file, text, key, reason] = row;
    stage.write({ [file]: text });
    const checked = await stage.run(stage.home, ["contract", "check", file]);
    const [first, issue = "", ...rest] = checked.stderr.trimEnd().split("\n");
    expect([checked.exit, checked.stdout, first]).toEqual([2, "", expect.stringContaining("[contract-invalid]")]);
    expect(issue).toContain(`${key}: `);
    expect(issue).toMatch(reason);
    expect(rest.at(-1)).toMatch(/trueup contract schema/u);
    expect(checked.stderr).not.toMatch(/\u001b|\n {4}at /u);

    expectRefusal(await stage.run(stage.home, ["check", "--contract", file]), {
      code: "contract-invalid",
      says: reason,
    });
    expectJsonRefusal(await stage.run(stage.home, ["check", "--json", "--contract", file]), "contract-invalid");
    const json = await stage.run(stage.home, ["contract", "check", "--json", file]);
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, issues: expect.any(Array) as unknown[] });
    expect(readdirSync(stage.home)).not.toContain("state");
  });

  const tasks = wrong.filter(([what]) => !/^(?:no block|an empty file)$/u.test(what));
  test.each(tasks)("%s in a task keeps it from being delivered", async (...row) => {
    const [, file, text, , reason] = row;
    const body = file.endsWith(".md") ? String(text) : block(String(text));
    stage.write({ "task.md": `---\ntitle: T\nrepo: ./nowhere\n---\nDo it.\n\n${body}` });
    const delivered = await stage.run(stage.home, ["deliver", "task.md", "--agent", "scripted:none.json"]);
    expectRefusal(delivered, { code: "task-invalid", says: reason });
    expect(readdirSync(stage.home)).not.toContain("state");
  });

  test("a block in a task is named by its line in the file", async () => {
    stage.write({ "task.md": `---\ntitle: T\nrepo: ./nowhere\n---\n${block("{}")}${block("{}")}` });
    const delivered = await stage.run(stage.home, ["deliver", "task.md"]);
    expectRefusal(delivered, { code: "task-invalid", says: /there are 2 acceptance blocks; .* \(line 7, line 12\)/u });
  });

  test("a byte order mark and Windows line ends change nothing, neither the meaning nor the digest", async () => {
    stage.write({
      "plain.json": '{"max_added_lines":1}\n',
      "windows.json": '\u{FEFF}{\r\n"max_added_lines":1\r\n}\r\n',
      "windows.md": `\u{FEFF}${block('{"max_added_lines":1}')}`.replaceAll("\n", "\r\n"),
    });
    const digests = await Promise.all(
      ["plain.json", "windows.json", "windows.md"].map(async (file) => {
        const { stdout } = await stage.run(stage.home, ["contract", "check", "--json", file]);
        return (JSON.parse(stdout) as { digest?: string }).digest;
      }),
    );
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).toMatch(/^sha256:[0-9a-f]{64}$/u);
  });
});
