// How long `trueup check` takes against the bare test command and a literal gate, on one repository in one run.
//
//   node bench/check.ts [RUNS] [SUITE_SECONDS]
//
// The repository is the slug canary with a change, and, when SUITE_SECONDS is not 0, a suite that takes about so long in
// one process. Prints one JSON line: medians in milliseconds; `cold` is the first check with an empty cache, `warm` a check
// whose dependencies and baseline are there. `ratio_warm` is what a person waits for: warm divided by the bare command;
// `ratio_literal` is what a gate costs that only counts (`gates/literal-gate.ts`).
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const packageRoot = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
const [runs = "5", seconds = "20"] = process.argv.slice(2);
const root = mkdtempSync(path.join(tmpdir(), "trueup-bench-"));
const work = path.join(root, "work");
const environment = {
  ...process.env,
  TRUEUP_STATE: path.join(root, "state"),
  TRUEUP_CACHE: path.join(root, "cache"),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

function git(...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid", ...args], {
    cwd: work,
    env: environment,
    stdio: "ignore",
  });
}

/** A suite whose time is spent in the tests themselves, in files that can run side by side. */
function slowSuite(total: number): Readonly<Record<string, string>> {
  const files = 4;
  const spin = Math.round((total * 1000) / files / 5);
  return Object.fromEntries(
    Array.from({ length: total === 0 ? 0 : files }, (_file, index) => {
      const tests = Array.from(
        { length: 5 },
        (_test, at) =>
          `it("spins ${at}", () => { const end = performance.now() + ${spin}; let n = 0; while (performance.now() < end) n += 1; expect(n).toBeGreaterThan(0); });`,
      );
      return [`test/slow-${index}.test.ts`, `import { expect, it } from "vitest";\n${tests.join("\n")}\n`];
    }),
  );
}

function openRepository(): number {
  cpSync(path.join(packageRoot, "examples", "slug-canary"), work, { recursive: true });
  const suite = slowSuite(Number(seconds));
  for (const [file, text] of Object.entries(suite)) writeFileSync(path.join(work, file), text);
  writeFileSync(path.join(work, ".gitignore"), "node_modules/\n");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
  const source = path.join(work, "src", "slugify.ts");
  writeFileSync(source, readFileSync(source, "utf8").replace('.replace(/\\s/g, "-")', '.replace(/\\s+/g, "-")'));
  const test = path.join(work, "test", "slugify.test.ts");
  const end = 'toBe("what-now");\n  });\n';
  const more = '  it("joins", () => expect(slugify("a  b")).toBe("a-b"));\n';
  writeFileSync(test, readFileSync(test, "utf8").replace(end, `${end}${more}`));
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: work, stdio: "ignore" });
  return 4 + Object.keys(suite).length * 5;
}

async function timed(file: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  await run(file, args, { cwd: work, env: environment, maxBuffer: 2 ** 26 });
  return performance.now() - start;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

try {
  mkdirSync(work);
  const passed = openRepository();
  const contract = path.join(root, "contract.json");
  writeFileSync(contract, JSON.stringify({ tests: [{ command: "npx vitest run", passed }] }));
  const check = () =>
    timed(process.execPath, [path.join(packageRoot, "bin", "trueup.js"), "check", "--contract", contract]);
  const bare = () => timed(process.execPath, ["node_modules/vitest/vitest.mjs", "run"]);
  const literal = () =>
    timed(process.execPath, [
      path.join(import.meta.dirname, "gates", "literal-gate.ts"),
      contract,
      path.join(root, "r"),
    ]);
  await bare();
  const cold = await check();
  const [bares, checks, literals]: [number[], number[], number[]] = [[], [], []];
  // Turn by turn, so that what else the machine does weighs on both.
  for (let turn = 0; turn < Number(runs); turn += 1) {
    bares.push(await bare());
    literals.push(await literal());
    checks.push(await check());
  }
  const figures = {
    bare_ms: median(bares),
    literal_ms: median(literals),
    cold_ms: cold,
    warm_ms: median(checks),
  };
  const rounded = Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, Math.round(value)]));
  const ratio = (value: number): number => Number((value / figures.bare_ms).toFixed(2));
  const ratios = {
    ratio_literal: ratio(figures.literal_ms),
    ratio_warm: ratio(figures.warm_ms),
    ratio_cold: ratio(cold),
  };
  process.stdout.write(`${JSON.stringify({ bench: "check", tests: passed, ...rounded, ...ratios })}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
