import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchCriteria } from "./match-criteria.ts";

const split = (text: string): readonly string[] => text.split(" ");
const test = (command: string, ran: string, cwd = ""): readonly string[] =>
  matchCriteria({ argv: split(ran), cwd }, { tests: [{ command, passed: 1 }] });
const step = (command: string, ran: string): readonly string[] =>
  matchCriteria({ argv: split(ran), cwd: "" }, { commands: [{ command }] });

const equal: readonly [declared: string, ran: string][] = [
  ["npx vitest run x", "npx vitest run x"],
  ["npx vitest run x", "vitest run x"],
  ["npx vitest run x", "./node_modules/.bin/vitest run x"],
  ["npx vitest run x", "node_modules/.bin/vitest run x"],
  ["npx vitest run x", "pnpm exec vitest run x"],
  ["npx vitest run x", "pnpm vitest run x"],
  ["npx vitest run x", "yarn vitest run x"],
  ["npx vitest run x", "npm exec -- vitest run x"],
  ["npx vitest run x", "npx --no-install vitest run x"],
  ["npx vitest run x", "npx vitest run --silent x"],
  ["npx vitest run x", "npx vitest --run x"],
  ["npm test", "npm t"],
  ["npm test", "npm run test"],
  ["npm test -- a", "npm test a"],
  ["pytest -q a.py", "python3 -m pytest a.py"],
  ["node --test a.js", "node --test a.js"],
];

const different: readonly [declared: string, ran: string][] = [
  ["npx vitest run x", "npx vitest run"],
  ["npx vitest run", "npx vitest run x"],
  ["npx vitest run x", "npx vitest run x y"],
  ["npx vitest run x", "npx vitest run -t one x"],
  ["npx vitest run x", "npx vitest run x --passWithNoTests"],
  ["npx vitest run x", "npx vitest run x --reporter=json"],
  ["npx vitest run x", "npx vitest x"],
  ["npx vitest run x", "npx vitest list x"],
  ["npx vitest run x", "npx vitest@1.0.0 run x"],
  ["npx vitest run x", "echo npx vitest run x"],
  ["npx vitest run x", "/tmp/vitest run x"],
  ["npx vitest run x", "./vitest run x"],
  ["npx vitest run x", "npx jest x"],
  ["npx vitest run a b", "npx vitest run b a"],
  ["npm test", "npm run test:unit"],
  ["npm test", "npm test -- a"],
  ["npm test", "vitest run"],
  ["npm test", "npm install"],
];

describe("matchCriteria", () => {
  it.each(equal)("[B14] %s is run by: %s", (declared, ran) => {
    expect(test(declared, ran)).toEqual(["tests[0]"]);
  });

  it.each(different)("[B14] %s is not run by: %s", (declared, ran) => {
    expect(test(declared, ran)).toEqual([]);
  });

  it.each([
    ["npx tsc --noEmit", "tsc --noEmit", true],
    ["npx tsc --noEmit", "pnpm exec tsc --noEmit", true],
    ["npx tsc --noEmit", "./node_modules/.bin/tsc --noEmit", true],
    ["npx tsc --noEmit", "npx tsc", false],
    ["npx tsc --noEmit", "npx tsc --noEmit false", false],
    ["npx tsc", "npx tsc@5", false],
    ["npx tsc", "npx -p typescript tsc", false],
    ["npm run build", "npm run build", true],
    ["npm run build", "pnpm run build", true],
    ["npm run build", "npm run --silent build", true],
    ["npm run build", "npm run build:all", false],
    ["npm run build", "build", false],
    ["build", "npm run build", false],
    ["pnpm build", "build", false],
    ["make check", "make check", true],
    ["make check", "make check -n", false],
    ["make check", "/usr/bin/make check", false],
    ["npm ci", "npm ci", true],
  ] as const)("[B14] the command %s, run as %s: %j", (declared, ran, same) => {
    expect(step(declared, ran)).toEqual(same ? ["commands[0]"] : []);
  });

  it.each([
    [undefined, "", true],
    [".", "", true],
    ["web", "web", true],
    ["./web/", "web", true],
    ["web", "", false],
    [undefined, "web", false],
    ["web", "web/tests", false],
  ])("[B14] declared in %s, run in %j: %j", (declared, ran, same) => {
    const entry = declared === undefined ? {} : { cwd: declared };
    const contract = { tests: [{ command: "npx vitest run x", passed: 1, ...entry }] };
    expect(matchCriteria({ argv: split("vitest run x"), cwd: ran }, contract)).toEqual(same ? ["tests[0]"] : []);
  });

  it("[B14] a quoted word is one word", () => {
    const contract = { tests: [{ command: "npx vitest run -t 'a b'", passed: 1 }] };
    expect(matchCriteria({ argv: ["npx", "vitest", "run", "-t", "a b"], cwd: "" }, contract)).toEqual(["tests[0]"]);
    expect(matchCriteria({ argv: ["npx", "vitest", "run", "-t", "a", "b"], cwd: "" }, contract)).toEqual([]);
  });

  it("[B14] names every criterion it is", () => {
    const contract = {
      tests: [
        { command: "npx vitest run a", passed: 1 },
        { command: "npx vitest run b", passed: 1 },
      ],
      commands: [{ command: "npm run lint" }, { command: "vitest run b" }],
    };
    expect(matchCriteria({ argv: split("pnpm exec vitest run b"), cwd: "" }, contract)).toEqual([
      "tests[1]",
      "commands[1]",
    ]);
  });

  it("[B14] words added anywhere never match, unless they are of those that change nothing", () => {
    const word = fc.constantFrom("y", "-x", "--bail", "--reporter", "run", "src", "--", "-t");
    const base = split("npx vitest run a b");
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: base.length }), (extra, at) => {
        const argv = [...base.slice(0, at), extra, ...base.slice(at)];
        const harmless = extra === "--" && at === 1;
        expect(matchCriteria({ argv, cwd: "" }, { tests: [{ command: base.join(" "), passed: 1 }] })).toEqual(
          harmless ? ["tests[0]"] : [],
        );
      }),
    );
  });
});
