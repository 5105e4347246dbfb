/**
 * `npm run check`: every guard that needs no test run. All steps run, each is one line, a failed one shows its output.
 * `check.ts [STEP...]` runs only the named steps. Exits 1 when a step failed.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const root = path.dirname(import.meta.dirname);
const steps: readonly Step[] = [
  { name: "format", command: ["prettier", "--check", "--log-level", "warn", "."] },
  { name: "lint", command: ["oxlint"] },
  { name: "types", command: ["tsc", "-p", "tsconfig.json"] },
  { name: "imports", command: ["node", "tools/scan-imports.ts"] },
  { name: "text", command: ["node", "tools/scan-text.ts"] },
  { name: "dead-code", command: ["knip", "--no-progress"] },
  { name: "schemas", command: ["node", "tools/check-schemas.ts"] },
  { name: "cheats", command: ["node", "tools/generate-cheats.ts", "--check"] },
  { name: "drivers", command: ["node", "tools/generate-drivers.ts", "--check"] },
  { name: "rows", command: ["node", "tools/rows.ts", "--static"] },
  { name: "action", command: ["node", "tools/build-action.ts", "--check"] },
  { name: "build", command: ["node", "tools/build.ts"] },
  { name: "package", command: ["node", "tools/check-package.ts"] },
];

const runStep = ({ name, command: [program, ...args] }: Step): boolean => {
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const held = error === undefined && status === 0;
  process.stdout.write(`${held ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`);
  if (!held) process.stdout.write(`${error?.message ?? ""}${stdout}${stderr}\n`);
  return held;
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(", ")}`);
const failed = steps
  .filter((step) => wanted.length === 0 || wanted.includes(step.name))
  .filter((step) => !runStep(step));
if (failed.length > 0) process.stdout.write(`failed: ${failed.map((step) => step.name).join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
