/** `scan-text.ts [ROOT]` puts every file that git would commit under the text guards; exits 1 when one breaks a rule. */
import fs from "node:fs";
import path from "node:path";
import { listTree } from "./list-tree.ts";
import { scanFile } from "./text-guards.ts";

const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname));
const files = listTree(root);
const violations = files.flatMap((file) => scanFile(file, fs.readFileSync(path.join(root, file), "utf8")));
for (const { rule, path: file, line, excerpt } of violations) {
  process.stdout.write(`${file}:${line} ${rule}: ${excerpt}\n`);
}
process.stdout.write(`${files.length} files scanned, ${violations.length} violations\n`);
process.exitCode = violations.length === 0 && files.length > 0 ? 0 : 1;
