import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { launcherTable } from "./launcher-table.ts";
import { runnerTable } from "./runner-table.ts";
import { checkTestCommand, parseTestCommand } from "./test-command.ts";

const allowed: readonly [text: string, launcher: string | null, runner: string, args: readonly string[]][] = [
  ["npx vitest run src/a.test.ts", "npx", "vitest", ["run", "src/a.test.ts"]],
  ["vitest", null, "vitest", []],
  ["./node_modules/.bin/vitest run", null, "vitest", ["run"]],
  ["npx --no-install vitest run", "npx", "vitest", ["run"]],
  ["npm exec -- vitest run a", "npm exec", "vitest", ["run", "a"]],
  ["pnpm exec vitest run a", "pnpm exec", "vitest", ["run", "a"]],
  ["pnpm vitest run a", "pnpm", "vitest", ["run", "a"]],
  ["yarn vitest run a", "yarn", "vitest", ["run", "a"]],
  ["yarn exec vitest run a", "yarn exec", "vitest", ["run", "a"]],
  ["bunx vitest run a", "bunx", "vitest", ["run", "a"]],
  ["npx vitest run -t 'a b' a", "npx", "vitest", ["run", "-t", "a b", "a"]],
  ["npx vitest run --test-name-pattern=x", "npx", "vitest", ["run", "--test-name-pattern=x"]],
  ["npx vitest run --project unit a", "npx", "vitest", ["run", "--project", "unit", "a"]],
  ["npx vitest run --environment jsdom", "npx", "vitest", ["run", "--environment", "jsdom"]],
  ["npx vitest --run --silent --no-coverage a", "npx", "vitest", ["a"]],
  ["npx vitest run --coverage=false --retry=0 a", "npx", "vitest", ["run", "a"]],
  ["npx vitest run '[id].test.ts'", "npx", "vitest", ["run", "[id].test.ts"]],
  ["npx jest --env node --coverage=false a", "npx", "jest", ["--env", "node", "a"]],
  ["npx mocha tests/a.js", "npx", "mocha", ["tests/a.js"]],
  ["node --test test/a.js", null, "node-test", ["test/a.js"]],
  ["pytest -q tests/a.py", null, "pytest", ["tests/a.py"]],
  ["python3 -m pytest -k x", null, "pytest", ["-k", "x"]],
  ["/usr/bin/python3 -m pytest -q a.py", null, "pytest", ["a.py"]],
  ["go test ./...", null, "go-test", ["./..."]],
  ["cargo test -p a", null, "cargo-test", ["-p", "a"]],
  ["npm test", "npm test", "script", []],
  ["npm test -- a", "npm test", "script", ["a"]],
  ["npm run test:unit", "npm run", "script", []],
  ["pnpm test", "pnpm test", "script", []],
  ["yarn test:unit a", "yarn", "script", ["a"]],
];

/** Flags of vitest that must never pass, in every spelling its parser takes. */
const vitestFlags = [
  "--reporter=json",
  "--reporter json",
  "--reporters=x",
  "--outputFile=x",
  "--output-file=x",
  "--outputFile.json=x",
  "--config x",
  "--config=x",
  "-c x",
  "-c=x",
  "--root=x",
  "-r x",
  "--dir=x",
  "--watch",
  "-w",
  "--watch=true",
  "--update",
  "-u",
  "--update=all",
  "--pool=threads",
  "--poolOptions.forks.execArgv=--import=x",
  "--pool-options.forks.isolate=false",
  "--coverage",
  "--coverage.enabled",
  "--coverage=true",
  "--coverage.customProviderModule=x",
  "--retry=3",
  "--retry 3",
  "--shard=1/4",
  "--passWithNoTests",
  "--pass-with-no-tests",
  "--allowOnly",
  "--allow-only",
  "--dangerouslyIgnoreUnhandledErrors",
  "--dangerously-ignore-unhandled-errors",
  "--bail=1",
  "--inspect",
  "--inspect-brk=1",
  "--inspectBrk",
  "--ui",
  "--open",
  "--merge-reports",
  "--mergeReports=x",
  "--api",
  "--api.port=1",
  "--standalone",
  "--no-isolate",
  "--isolate",
  "--isolate=false",
  "--execArgv=--import=x",
  "--environment=./evil.ts",
  "--environment ./evil.ts",
  "--browser",
  "--typecheck",
  "--changed",
  "--related",
  "--vmMemoryLimit=1",
  "--sequence.setupFiles=list",
  "--snapshotOptions=x",
  "--experimental.x=1",
  "--includeTaskLocation",
  "--attachmentsDir=x",
  "--diff=./evil.ts",
  "--no-such-flag",
  "-x",
  "-tu",
  "-t=",
  "-t",
  "-t --reporter=json",
  "--testNamePattern --config=x",
  "--globals=false",
  "--require=./x",
  "--import ./x",
  "--",
  "-- --reporter=x",
  "--run=false",
  "--maxWorkers",
  "--coverage.enabled=true",
  "--expect.requireAssertions=false",
  "--no-expect",
  "--__proto__=x",
  "--constructor=x",
] as const;

const refused: readonly [text: string, words: string][] = [
  ["bash run.sh", "not known"],
  ["sh -c 'vitest run'", "not known"],
  ["env A=b vitest", "not known"],
  ["make test", "not known"],
  ["npx tsx run.ts", "not known"],
  ["node run.js", "not known"],
  ["/opt/bin/vitest run", "without a directory"],
  ["../vitest run", "without a directory"],
  ["node_modules/vitest/vitest.mjs run", "without a directory"],
  ["node --require ./x --test a", "not known"],
  ["node --test --require ./x a", "loads code"],
  ["node --test --import=./x a", "loads code"],
  ["node --test --test-reporter=tap a", "reporter"],
  ["node --test --test-reporter-destination=x a", "output"],
  ["node --test --watch a", "watch"],
  ["node --test --test-update-snapshots a", "expectations"],
  ["npx vitest@1.0.0 run", "version"],
  ["npx -p vitest vitest run", "-p"],
  ["npx --package=x vitest run", "--package=x"],
  ["npx -c 'vitest run'", "-c"],
  ["npx", "names no runner"],
  ["npx vitest watch", "subcommand"],
  ["npx vitest bench", "subcommand"],
  ["npx vitest list", "subcommand"],
  ["npx vitest -t x run", "right after"],
  ["npx vitest run /etc/x.test.ts", "absolute"],
  ["npx vitest run ../x.test.ts", "leaves"],
  ["npx vitest run file:///x", "address"],
  ["npx vitest run ''", "empty"],
  ["pnpm dlx vitest run", "fetches"],
  ["yarn dlx vitest run", "fetches"],
  ["npm run", "no script"],
  ["npm test -- --reporter=json", "behind a script"],
  ["npm --prefix x test", "not known"],
  ["npx jest --json", "reporter"],
  ["npx jest --testResultsProcessor=x", "output"],
  ["npx jest -i", "kept apart"],
  ["npx jest --updateSnapshot", "expectations"],
  ["npx mocha --require x", "loads code"],
  ["npx mocha --retries 2", "once"],
  ["pytest -p evil", "loads code"],
  ["pytest -c x", "config"],
  ["pytest --junitxml=x", "reporter"],
  ["pytest --junit=x", "reporter"],
  ["pytest -o addopts=", "output"],
  ["go test -json ./...", "reporter"],
  ["go test -exec=x ./...", "loads code"],
  ["go test ../...", "leaves"],
  ["vitest run | tee x", "pipe"],
];

describe("parseTestCommand", () => {
  it.each(allowed)("[D7] allows %s", (text, launcher, runner, args) => {
    expect(parseTestCommand(text)).toMatchObject({ ok: true, command: { launcher, runner, args } });
  });

  it.each(refused)("[D7] refuses %s", (text, words) => {
    const result = parseTestCommand(text);
    expect(result.ok ? "allowed" : result.reasons.join("; ")).toContain(words);
  });

  it.each(vitestFlags)("[D7] refuses vitest run %s, before and after the file", (flag) => {
    expect(parseTestCommand(`npx vitest run ${flag}`).ok).toBe(false);
    expect(parseTestCommand(`npx vitest run ${flag} --globals`).ok).toBe(false);
    expect(parseTestCommand(`npx vitest run a.test.ts ${flag}`).ok).toBe(false);
  });

  it("keeps all words as declared beside the arguments", () => {
    const result = parseTestCommand("npx vitest run --silent a");
    expect(result.ok && result.command.argv).toEqual(["npx", "vitest", "run", "--silent", "a"]);
  });

  it("[D7] no flag outside its runner's table gets through behind any launcher", () => {
    const flags = fc
      .string({ unit: fc.constantFrom(...Array.from("abcortw-=.ARU1")), minLength: 1 })
      .map((text) => `-${text}`);
    const launchers = fc.constantFrom(
      [],
      ...launcherTable.filter((row) => row.runs === "program").map((row) => row.words),
    );
    fc.assert(
      fc.property(launchers, fc.constantFrom(...runnerTable), flags, (launcher, runner, flag) => {
        const result = checkTestCommand([...launcher, ...(runner.calls[0] ?? []), flag]);
        const name = flag.split("=")[0] ?? "";
        const known = runner.flags.some(({ names }) => names.some((each) => each === flag || each === name));
        if (!known) expect(result.ok).toBe(false);
      }),
    );
  });
});
