import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildHouse, repository, runTool } from "./small-house.ts";

/** One breach of each import rule; each file is planted into a sound house, and all are judged in one run. */
const planted = [
  ["core-is-pure", "src/core/record/reads.ts", 'import fs from "node:fs";\nexport const reads = fs;\n'],
  ["core-is-pure", "src/core/record/uses-errors.ts", 'export { oops } from "../../errors.ts";\n'],
  ["formats-are-leaves", "src/core/record/uses-contract.ts", 'export { a } from "../contract/index.ts";\n'],
  ["formats-take-only-types-of-facts", "src/core/record/runs-facts.ts", 'import "../facts/index.ts";\n'],
  ["facts-are-types", "src/core/facts/uses-gate.ts", 'export { gate } from "../gate/index.ts";\n'],
  ["gate-reads-facts", "src/core/gate/uses-publication.ts", 'export { gate } from "../publication/index.ts";\n'],
  ["override-reads-facts", "src/core/override/uses-task.ts", 'export { gate } from "../task/index.ts";\n'],
  ["publication-reads-gate", "src/core/publication/uses-task.ts", 'export { gate } from "../task/index.ts";\n'],
  ["task-reads-publication", "src/core/task/uses-config.ts", 'export { config } from "../config/index.ts";\n'],
  ["config-alone", "src/core/config/uses-gate.ts", 'export { gate } from "../gate/index.ts";\n'],
  ["runners-read-formats", "src/runners/vitest/uses-gate.ts", 'export { gate } from "../../core/gate/index.ts";\n'],
  ["runners-read-formats", "src/runners/vitest/reads.ts", 'import fs from "node:fs";\nexport const reads = fs;\n'],
  ["witness-alone", "src/witness/uses-core.mjs", 'export { hash } from "../core/digest.ts";\n'],
  ["witness-alone", "src/witness/uses-library.mjs", 'export { z } from "zod";\n'],
  ["ports-know-core", "src/ports/uses-app.ts", 'export { run } from "../app/run.ts";\n'],
  ["ports-know-core", "src/ports/uses-library.ts", 'export { z } from "zod";\n'],
  ["app-uses-ports", "src/app/uses-adapter.ts", 'export { git } from "../adapters/git/cli/git.ts";\n'],
  ["app-uses-ports", "src/app/reads.ts", 'import fs from "node:fs";\nexport const reads = fs;\n'],
  ["reporters-render", "src/reporters/uses-app.ts", 'export { run } from "../app/run.ts";\n'],
  ["reporters-render", "src/reporters/writes.ts", 'import fs from "node:fs";\nexport const writes = fs;\n'],
  ["adapters-know-ports", "src/adapters/git/cli/uses-app.ts", 'export { run } from "../../../app/run.ts";\n'],
  ["adapters-stand-alone", "src/adapters/git/other/uses-cli.ts", 'export { git } from "../cli/git.ts";\n'],
  [
    "adapters-stand-alone",
    "src/adapters/git/cli/uses-forge.ts",
    'export { forge } from "../../forge/local/forge.ts";\n',
  ],
  ["nobody-imports-entry", "src/adapters/git/cli/uses-entry.ts", 'import "../../../entry/cli/main.ts";\n'],
  ["errors-alone", "src/errors.ts", 'import { hash } from "./core/digest.ts";\nexport const oops = hash;\n'],
  ["index-is-the-surface", "src/index.ts", 'export { git } from "./adapters/git/cli/git.ts";\nexport const run = 1;\n'],
  ["xml-only-in-runners", "src/adapters/git/cli/reads-xml.ts", 'export { SaxesParser } from "saxes";\n'],
  ["every-file-has-a-room", "src/entry/cli/uses-attic.ts", 'export { attic } from "../../attic/attic.ts";\n'],
  ["no-cycle", "src/app/one.ts", 'export { two } from "./two.ts";\nexport const one = 1;\n'],
  ["product-without-tests", "src/app/uses-test.ts", 'import "../../test/sound.test.ts";\n'],
  ["product-without-dev-dependencies", "src/adapters/git/cli/uses-vitest.ts", 'export { test } from "vitest";\n'],
  ["every-import-resolves", "src/app/uses-nothing.ts", 'export { nothing } from "./nothing.ts";\n'],
] as const;

const companions = {
  "src/attic/attic.ts": "export const attic = 1;\n",
  "src/app/two.ts": 'import { one } from "./one.ts";\nexport const two = one;\n',
};

const manifest = {
  "package.json": JSON.stringify({
    type: "module",
    dependencies: { zod: "4", saxes: "6" },
    devDependencies: { vitest: "5" },
  }),
};

let lines: readonly string[] = [];

beforeAll(() => {
  const files = Object.fromEntries(planted.map(([, file, text]) => [file, text]));
  using house = buildHouse({ ...manifest, ...companions, ...files });
  const { code, output } = runTool(house.root, "scan-imports.ts");
  if (code !== 1) throw new Error(output);
  lines = output.split("\n");
});

test.each(planted)("import rule %s turns red for %s", (rule, file) => {
  expect(lines.filter((line) => line.startsWith(`${rule}: ${file} -> `))).not.toEqual([]);
});

test("every import rule of the configuration has a planted breach", async () => {
  // By a computed name: the configuration is plain JavaScript without types.
  const file = path.join(repository, ".dependency-cruiser.mjs");
  const { default: configuration } = (await import(file)) as { default: { forbidden: readonly { name: string }[] } };
  const names = new Set(configuration.forbidden.map((rule) => rule.name));
  expect(new Set(planted.map(([rule]) => rule))).toEqual(names);
});

test("a sound house is green under the import rules", () => {
  using house = buildHouse(manifest);
  expect(runTool(house.root, "scan-imports.ts")).toMatchObject({ code: 0 });
});

test("an import tool that sees no source is red, not green", () => {
  using house = buildHouse(manifest);
  const file = path.join(house.root, ".dependency-cruiser.mjs");
  const blind = fs.readFileSync(file, "utf8").replace("options: {", 'options: { includeOnly: "^nothing",');
  fs.writeFileSync(file, blind);
  const { code, output } = runTool(house.root, "scan-imports.ts");
  expect(code).toBe(1);
  expect(output).toContain("not-scanned: src/core/digest.ts");
});
