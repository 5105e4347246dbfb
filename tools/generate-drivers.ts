/**
 * `generate-drivers.ts [--check]` writes the table of drivers and attacks into `docs/sandbox.md`; with --check it exits 1 when
 * the page is stale or an attack stands in no test. What the table says of a driver, its tests assert.
 */
import fs from "node:fs";
import path from "node:path";
import { format } from "prettier";
import { attackWords, sandboxDrivers, type AttackName } from "../test/port-contract/sandbox-drivers.ts";

const root = path.dirname(import.meta.dirname);
const [begin, end] = ["<!-- table: npm run drivers:page -->", "<!-- end of table -->"];

const suites = fs
  .globSync("test/port-contract/sandbox-*.ts", { cwd: root })
  .map((file) => fs.readFileSync(path.join(root, file), "utf8"))
  .join("\n");
const names = Object.keys(attackWords) as AttackName[];
const untried = names.filter((name) => suites.match(new RegExp(`attack\\(\\s*"${name}",`, "gu"))?.length !== 1);
if (untried.length > 0) throw new Error(`attacks that are not in exactly one test: ${untried.join(", ")}`);

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = [
  row(["Attack", ...sandboxDrivers.map((driver) => driver.name)]),
  row(["---", ...sandboxDrivers.map(() => "---")]),
  ...names.map((name) => row([attackWords[name], ...sandboxDrivers.map((driver) => driver.open[name] ?? "held")])),
].join("\n");

const page = path.join(root, "docs", "sandbox.md");
const before = fs.readFileSync(page, "utf8");
const [head, rest] = before.split(begin);
const tail = rest?.split(end)[1];
if (head === undefined || tail === undefined) throw new Error(`${page} has no place for the table`);
const text = await format(`${head}${begin}\n\n${table}\n\n${end}${tail}`, { parser: "markdown", printWidth: 120 });
if (process.argv.includes("--check")) {
  process.stdout.write(before === text ? `${names.length} attacks on the page\n` : "stale: npm run drivers:page\n");
  process.exitCode = before === text ? 0 : 1;
} else fs.writeFileSync(page, text);
