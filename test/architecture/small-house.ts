import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const repository = path.dirname(path.dirname(import.meta.dirname));

type Files = Readonly<Record<string, string>>;

/** One sound file in each room, under the real configuration: what each guard must leave green. */
const soundFiles: Files = {
  "src/core/digest.ts": 'import { createHash } from "node:crypto";\nexport const hash = createHash("sha256");\n',
  "src/core/contract/index.ts":
    'import { z } from "zod";\nimport { hash } from "../digest.ts";\nexport const a = { z, hash };\n',
  "src/core/record/index.ts": "export const record = 1;\n",
  "src/core/facts/index.ts": 'import type { a } from "../contract/index.ts";\nexport type A = typeof a;\n',
  "src/core/gate/index.ts": 'import type { A } from "../facts/index.ts";\nexport const gate = (a: A): A => a;\n',
  "src/core/override/index.ts": 'export { record } from "../record/index.ts";\n',
  "src/core/publication/index.ts": 'export { gate } from "../gate/index.ts";\n',
  "src/core/task/index.ts": 'export { gate } from "../publication/index.ts";\n',
  "src/core/config/index.ts": "export const config = 1;\n",
  "src/runners/vitest/launch.ts": 'import { a } from "../../core/contract/index.ts";\nexport const launch = a;\n',
  "src/witness/pre.cjs": 'module.exports = require("node:fs");\n',
  "src/ports/index.ts": 'export { gate } from "../core/gate/index.ts";\n',
  "src/app/run.ts":
    'import { gate } from "../ports/index.ts";\nimport { oops } from "../errors.ts";\nexport const run = [gate, oops];\n',
  "src/adapters/git/shared/text.ts": "export const text = 1;\n",
  "src/adapters/git/cli/git.ts":
    'import fs from "node:fs";\nimport { gate } from "../../../ports/index.ts";\nimport { text } from "../shared/text.ts";\nexport const git = [fs, gate, text];\n',
  "src/adapters/forge/local/forge.ts": "export const forge = 1;\n",
  "src/reporters/json.ts": 'import { gate } from "../core/gate/index.ts";\nexport const json = gate;\n',
  "src/error-table.ts": "export const table = 1;\n",
  "src/errors.ts": 'import { table } from "./error-table.ts";\nexport const oops = table;\n',
  "src/index.ts": 'export { run } from "./app/run.ts";\nexport { oops } from "./errors.ts";\n',
  "src/entry/cli/main.ts": [
    'import { forge } from "../../adapters/forge/local/forge.ts";',
    'import { git } from "../../adapters/git/cli/git.ts";',
    'import { run } from "../../app/run.ts";',
    'import { config } from "../../core/config/index.ts";',
    'import { record } from "../../core/override/index.ts";',
    'import { gate } from "../../core/task/index.ts";',
    'import { json } from "../../reporters/json.ts";',
    'import { launch } from "../../runners/vitest/launch.ts";',
    "process.stdout.write(typeof [forge, git, run, config, record, gate, json, launch]);\n",
  ].join("\n"),
  "test/sound.test.ts": 'import { expect, test } from "vitest";\ntest("sound", () => {\n  expect(1).toBe(1);\n});\n',
};

const configuration = [
  ".dependency-cruiser.mjs",
  ".oxlintrc.json",
  ".prettierrc.json",
  ".prettierignore",
  ".gitignore",
  "knip.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** A temporary checkout with the real configuration and `planted` on top of the sound files; removed on dispose. */
export const buildHouse = (planted: Files = {}): { readonly root: string } & Disposable => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "house-"));
  for (const file of configuration) fs.copyFileSync(path.join(repository, file), path.join(root, file));
  for (const [file, text] of Object.entries({ ...soundFiles, ...planted })) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  fs.symlinkSync(path.join(repository, "node_modules"), path.join(root, "node_modules"));
  spawnSync("git", ["init", "--quiet"], { cwd: root });
  return { root, [Symbol.dispose]: () => fs.rmSync(root, { recursive: true, force: true }) };
};

/** Runs a program of `node_modules/.bin` or `node` in a house. */
export const runIn = (
  root: string,
  program: string,
  args: readonly string[],
): { code: number | null; output: string } => {
  const bin = path.join(repository, "node_modules", ".bin");
  const file = program === "node" ? process.execPath : path.join(bin, program);
  const env = {
    ...process.env,
    NO_COLOR: "1",
    PATH: `${path.dirname(process.execPath)}:${bin}:${process.env.PATH ?? ""}`,
  };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 });
  return { code: status, output: `${stdout}${stderr}` };
};

/** Runs one of our tools on a house: `rows.ts` takes its place as an option, the others as first argument. */
export const runTool = (root: string, tool: string, ...args: string[]): { code: number | null; output: string } =>
  runIn(root, "node", [
    path.join(repository, "tools", tool),
    ...(tool === "rows.ts" ? ["--root", root] : [root]),
    ...args,
  ]);
