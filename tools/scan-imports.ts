/**
 * Runs the import rules and asserts that every source file was among the modules scanned: an import tool that sees
 * nothing is green. `scan-imports.ts [ROOT]`; exits 1 on a violation or an unseen file.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { listTree } from "./list-tree.ts";

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

const house = path.dirname(import.meta.dirname);

const cruise = (root: string): CruiseResult => {
  const program = path.join(house, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const args = [program, "src", "--config", ".dependency-cruiser.mjs", "--output-type", "json"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  if (stdout === "") throw new Error(`the import rules did not run: ${stderr}`);
  return JSON.parse(stdout) as CruiseResult;
};

const root = path.resolve(process.argv[2] ?? house);
const result = cruise(root);
const scanned = new Set(result.modules.map((module) => module.source));
const sources = listTree(root).filter((file) => /^src\/.*\.(ts|mjs|cjs)$/.test(file));
const unseen = sources.filter((file) => !scanned.has(file));
for (const { rule, from, to } of result.summary.violations) process.stdout.write(`${rule.name}: ${from} -> ${to}\n`);
for (const file of unseen) process.stdout.write(`not-scanned: ${file}\n`);
process.stdout.write(`${scanned.size} modules scanned, ${sources.length} of them sources\n`);
const held = result.summary.violations.length === 0 && unseen.length === 0 && sources.length > 0;
process.exitCode = held ? 0 : 1;
