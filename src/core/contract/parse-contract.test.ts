import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseContractJson, parseContractMarkdown } from "./parse-contract.ts";

const test = (more: object): string =>
  JSON.stringify({ tests: [{ command: "npx vitest run a.test.ts", passed: 1, ...more }] });
const only = (path: string): string => JSON.stringify({ changed_files_only: [path] });

const invalid: readonly [name: string, text: string, key: string, words: string][] = [
  ["an empty object", "{}", "contract", "empty"],
  ["only meta keys", '{"version":1,"$schema":"x","intent":"docs"}', "contract", "empty"],
  ["an array", "[]", "contract", "must be an object, not a list"],
  ["null", "null", "contract", "not null"],
  ["an unknown key", '{"max_added_line":3}', "max_added_line", "not a known key"],
  ["an unknown key inside", test({ pass: 1 }), "tests[0].pass", "not a known key"],
  ["constructor as a key", '{"constructor":1,"max_added_lines":1}', "constructor", "not a known key"],
  ["toString as an environment name", test({ env: { toString: "x" } }), "tests[0].env.toString", "not a known key"],
  [
    "__proto__ as an environment name",
    '{"tests":[{"command":"vitest","passed":1,"env":{"__proto__":"x"}}]}',
    "tests[0].env.__proto__",
    "not a known key",
  ],
  ["a negative limit", '{"max_added_lines":-1}', "max_added_lines", "must not be negative: -1"],
  ["a fraction", '{"max_added_lines":1.5}', "max_added_lines", "whole number, not 1.5"],
  ["a number that is not finite", '{"max_added_lines":1e400}', "max_added_lines", "finite"],
  ["a number too large to be exact", '{"max_added_lines":9007199254740993}', "max_added_lines", "too large"],
  ["a number as text", '{"max_added_lines":"3"}', "max_added_lines", 'not the string "3"'],
  ["zero passed tests", test({ passed: 0 }), "tests[0].passed", "at least 1"],
  ["a negative count", test({ added: -1 }), "tests[0].added", "negative"],
  ["an empty list", '{"changed_files_only":[]}', "changed_files_only", "empty list"],
  ["a path that leaves", only("../x"), "changed_files_only[0]", "leaves the repository"],
  ["a path that leaves inside", only("a/../../x"), "changed_files_only[0]", "leaves"],
  ["an absolute path", only("/etc/passwd"), "changed_files_only[0]", "absolute"],
  ["a drive letter", only("C:/x"), "changed_files_only[0]", "drive"],
  ["a backslash", only("a\\b"), "changed_files_only[0]", "backslash"],
  ["NUL in a path", only("a\0b"), "changed_files_only[0]", "NUL"],
  ["a control character", only("a\u001bb"), "changed_files_only[0]", "control"],
  ["the .git directory", only(".git/hooks/x"), "changed_files_only[0]", ".git"],
  ["a nested .GIT", only("a/.GIT/config"), "changed_files_only[0]", ".git"],
  ["a directory with slash", only("src/"), "changed_files_only[0]", "ends with /"],
  ["a negated glob", only("!src/**"), "changed_files_only[0]", "begins with !"],
  ["a path in file_contains", '{"file_contains":[{"path":"/a","text":"x"}]}', "file_contains[0].path", "absolute"],
  ["a glob in file_excludes", '{"file_excludes":[{"path":"*.ts","text":"x"}]}', "file_excludes[0].path", "without *"],
  ["a test that asks for nothing", '{"tests":[{"command":"vitest run"}]}', "tests[0]", "asks for nothing"],
  ["keep_base false alone", '{"tests":[{"command":"vitest run","keep_base":false}]}', "tests[0]", "asks for nothing"],
  ["a directory outside", test({ cwd: "../x" }), "tests[0].cwd", "leaves"],
  ["a shell in a test", '{"tests":[{"command":"vitest run | tee x","passed":1}]}', "tests[0].command", "pipe"],
  ["a shell in a command", '{"commands":[{"command":"a && b"}]}', "commands[0].command", "&"],
  ["a variable in front", '{"prepare":[{"command":"A=b make"}]}', "prepare[0].command", "assignment"],
  [
    "a held-out test with a reporter",
    '{"held_out_tests":[{"path":"a","sha256":"' + "0".repeat(64) + '","command":"vitest --reporter=x","passed":1}]}',
    "held_out_tests[0].command",
    "reporter",
  ],
  [
    "a project that asks for nothing",
    '{"projects":[{"root":"a","lockfile":"a/l"}]}',
    "projects[0]",
    "asks for nothing",
  ],
  ["a project outside", '{"projects":[{"root":"..","lockfile":"a"}]}', "projects[0].root", "leaves"],
  ["an unknown need", '{"needs":["gpu"]}', "needs[0]", "form"],
  ["another network word", '{"network":"all"}', "network", "none"],
  ["a later version", '{"version":2,"max_added_lines":1}', "version", "must be 1"],
];

const full = {
  $schema: "x",
  version: 1,
  intent: "behaviour",
  changed_files_only: ["src/**", "test/[id]/(group)/{a,b}.ts"],
  changed_files_required: ["src/a.ts"],
  changed_files_forbidden: ["docs/**"],
  allow_protected: ["package.json"],
  max_added_lines: 0,
  max_deleted_lines: 3,
  max_changed_files: 2,
  max_changed_bytes: 1000,
  uncounted: ["dist/**"],
  generated: [{ paths: ["gen/**"], command: "node gen.js" }],
  file_contains: [{ path: "src/a.ts", text: "export" }],
  file_excludes: [{ path: "src/a.ts", text: "TODO" }],
  tests: [
    {
      command: "npx vitest run src/a.test.ts",
      cwd: ".",
      passed: 6,
      added: 2,
      names: ["a > b"],
      keep_base: true,
      red_on_base: "auto",
      timeout_seconds: 60,
      env: { TZ: "UTC" },
    },
  ],
  prepare: [{ command: "node build.js", cwd: "packages/a" }],
  commands: [{ command: "npx tsc --noEmit" }],
  held_out_tests: [{ path: "h.test.ts", sha256: "0".repeat(64), command: "npx vitest run h.test.ts", passed: 1 }],
  needs: ["proc", "network:db"],
  services: [{ name: "db", command: "node db.js", ready: "listening" }],
  baseline: "green",
  projects: [{ root: "packages/a", lockfile: "package-lock.json", commands: [{ command: "make" }] }],
  coverage: { floor: 80, max_drop: 0.5 },
  budget: { minutes: 5, violations: 0 },
  network: ["example.org"],
  soft_paths: ["**/*.md"],
  rollback_plan: "revert",
  approvals: ["a"],
};

describe("parseContractJson", () => {
  it.each(invalid)("[D6] refuses %s and names key and reason", (_name, text, key, words) => {
    const result = parseContractJson(text);
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.issues.map((issue) => issue.key)).toContain(key);
    expect(result.issues.find((issue) => issue.key === key)?.reason).toContain(words);
  });

  it("[D1] accepts every key of the format as it was written", () => {
    expect(parseContractJson(JSON.stringify(full))).toMatchObject({ ok: true, contract: full });
  });

  it("names every fault, not only the first", () => {
    const result = parseContractJson('{"max_added_lines":-1,"tests":[{"command":"vitest","passed":1.5}],"x":1}');
    expect(result.ok ? [] : result.issues.map((issue) => issue.key)).toEqual([
      "max_added_lines",
      "tests[0].passed",
      "x",
    ]);
  });

  it("[D6] never throws and never accepts a value with an unknown key", () => {
    const keys = fc.string().filter((key) => !(key in full) && key !== "__proto__");
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => {
        expect(parseContractJson(JSON.stringify({ ...full, [key]: value })).ok).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.json(), (text) => void parseContractJson(text)));
  });

  it("[D6] never throws on a known key with any value", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(full)), fc.jsonValue(), (key, value) => {
        expect(parseContractJson(JSON.stringify({ [key]: value })).ok).toBeTypeOf("boolean");
      }),
    );
  });

  it("[D12] pins the same digest whatever the order of keys and the white space", () => {
    const reordered = fc.shuffledSubarray(Object.entries(full), { minLength: Object.keys(full).length });
    const wanted = parseContractJson(JSON.stringify(full));
    fc.assert(
      fc.property(reordered, fc.nat({ max: 4 }), (entries, indent) => {
        const result = parseContractJson(JSON.stringify(Object.fromEntries(entries), null, indent));
        expect(result.ok && wanted.ok && result.digest === wanted.digest).toBe(true);
      }),
    );
  });
});

const block = '```acceptance\n{"max_added_lines": 3}\n```';

const markdownCases: readonly [name: string, text: string, outcome: string][] = [
  ["one block", `# T\n\n${block}\n\nmore`, "ok"],
  ["tildes", block.replaceAll("```", "~~~"), "ok"],
  ["a longer fence", block.replaceAll("```", "`````"), "ok"],
  ["a closing fence longer than the opening one", `${block}\`\`\``, "ok"],
  ["a block inside a quote", `> ${block.replaceAll("\n", "\n> ")}`, "ok"],
  ["a block inside a list item", `- ${block.replaceAll("\n", "\n  ")}`, "ok"],
  ["Windows line ends", block.replaceAll("\n", "\r\n"), "ok"],
  ["space around the info string", block.replace("acceptance", "  acceptance  "), "ok"],
  ["an escaped letter, as CommonMark reads it", block.replace("acceptance", "&#97;cceptance"), "ok"],
  ["an example in a longer fence beside it", `\`\`\`\`\n${block}\n\`\`\`\`\n\n${block}`, "ok"],
  ["another block beside it", `${block}\n\n\`\`\`json\n{}\n\`\`\``, "ok"],
  ["none", "# T\n\ntext", "there is no fenced block"],
  ["only an example in a longer fence", `\`\`\`\`md\n${block}\n\`\`\`\``, "there is no fenced block"],
  ["only indented code", `    ${block.replaceAll("\n", "\n    ")}`, "there is no fenced block"],
  ["only an HTML comment", `<!--\n${block}\n-->`, "there is no fenced block"],
  ["two", `${block}\n\n${block}`, "2 acceptance blocks"],
  ["two, one in a quote", `${block}\n\n> ${block.replaceAll("\n", "\n> ")}`, "2 acceptance blocks"],
  ["an unclosed one", block.slice(0, -3), "not closed"],
  ["an unclosed one with a fence too short", `\`${block}`, "not closed"],
  ["an unclosed one with an indented fence", block.replace(/\n```$/u, "\n    ```"), "not closed"],
  ["one that its quote closes", '> ```acceptance\n> {"max_added_lines": 3}\n\ntext', "not closed"],
  ["one that its list item closes", '- ```acceptance\n  {"max_added_lines": 3}\n\ntext', "not closed"],
  ["another case", block.replace("acceptance", "Acceptance"), "must be exactly"],
  ["more words in the info string", block.replace("acceptance", "acceptance v1"), "must be exactly"],
  ["the name as second word", block.replace("acceptance", "json acceptance"), "must be exactly"],
  ["no JSON", block.replace("{", ""), "is not JSON"],
  ["nothing inside", "```acceptance\n```", "nothing in it"],
  ["an empty object", "```acceptance\n{}\n```", "is empty"],
  ["nesting that would stall the parser", ">".repeat(100_000), "nested"],
  ["a text too large", "x".repeat(200_000), "larger"],
];

describe("parseContractMarkdown", () => {
  it.each(markdownCases)("[D6] block by CommonMark's rules: %s", (_name, text, outcome) => {
    const result = parseContractMarkdown(text);
    expect(result.ok ? "ok" : (result.issues[0]?.reason ?? "")).toContain(outcome);
  });

  it("[D12] a typo mended around the block does not change the digest, a number in it does", () => {
    const pinned = parseContractMarkdown(`teh task\n\n${block}`);
    const mended = parseContractMarkdown(`the task\n\n${block}\n`);
    const drifted = parseContractMarkdown(`the task\n\n${block.replace("3", "30")}\n`);
    expect(pinned.ok && mended.ok && pinned.digest === mended.digest).toBe(true);
    expect(pinned.ok && drifted.ok && pinned.digest !== drifted.digest).toBe(true);
  });

  it("never throws, whatever the text", () => {
    const pieces = fc.constantFrom(
      "```",
      "````",
      "~~~",
      "acceptance",
      "\n",
      "> ",
      "- ",
      " ",
      "{}",
      '{"max_added_lines":1}',
      "=",
      "*",
      "\t",
    );
    fc.assert(fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => void parseContractMarkdown(parts.join(""))));
  });
});
