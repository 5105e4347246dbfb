/**
 * `check-schemas.ts [ROOT]` generates the JSON Schemas again and compares: the committed ones must be what the sources
 * say. The fresh ones stay in place, ready to be committed. Exits 1 when one differs, is missing or is left over.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname));
const folder = path.join(root, "schemas");

const readSchemas = (): ReadonlyMap<string, string> => {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return new Map(files.map((file) => [file, fs.readFileSync(path.join(folder, file), "utf8")]));
};

const before = readSchemas();
for (const file of before.keys()) fs.rmSync(path.join(folder, file));
const { status } = spawnSync(process.execPath, ["tools/generate-schemas.ts"], { cwd: root, stdio: "inherit" });
const after = readSchemas();
const stale = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
for (const file of stale) process.stdout.write(`stale-schema: schemas/${file}\n`);
process.stdout.write(`${after.size} schemas generated, ${stale.length} stale\n`);
process.exitCode = status === 0 && stale.length === 0 && after.size > 0 ? 0 : 1;
