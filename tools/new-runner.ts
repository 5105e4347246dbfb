/**
 * `npm run new-runner -- NAME [--root DIR]`: the folder of one more test runner, equal to those that are there. What it makes
 * type-checks and refuses every version, so that nothing is believed before it is written. Exits 1 for a bad or taken name.
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runnerFiles } from "./runner-template.ts";

const { values, positionals } = parseArgs({
  options: { root: { type: "string", default: path.dirname(import.meta.dirname) } },
  allowPositionals: true,
});
const [name = ""] = positionals;
const folder = path.join(path.resolve(values.root), "src", "runners", name);

const problem = !/^[a-z]+(?:-[a-z]+)*$/u.test(name)
  ? `${JSON.stringify(name)} is no name for a runner: lower-case words with hyphens, as \`node-test\``
  : fs.existsSync(folder)
    ? `src/runners/${name} is there already`
    : null;

if (problem !== null) {
  process.stderr.write(`new-runner: ${problem}\n`);
  process.exitCode = 1;
} else {
  for (const [file, text] of Object.entries(runnerFiles(name))) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
    process.stdout.write(`src/runners/${name}/${file}\n`);
  }
  process.stdout.write(
    [
      "",
      "Next, one line each:",
      "  src/core/contract/runner-table.ts   how it is called and which of its flags are let through",
      "  src/core/contract/trust-roots.ts    files that steer it by name",
      "  src/core/gate/runner-isolation.ts   whether tests run apart from the witness, its best grade, the sentence",
      `  src/witness/${name}-reporter.*       what says over the channel what the runner saw`,
      "  samples/                            real reports of it, one a trap",
      "  src/runners/index.ts, src/core/contract/not-built.ts   last, when its traps are blocked",
      "",
    ].join("\n"),
  );
}
