import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildHouse, repository, runIn, runTool } from "./small-house.ts";

const manifest = (more: object = {}) => ({
  "package.json": JSON.stringify({
    name: "house",
    version: "1.0.0",
    license: "Apache-2.0",
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    dependencies: { zod: "4" },
    devDependencies: { vitest: "5", typescript: "6", "@types/node": "24" },
    ...more,
  }),
});

// In pieces, so that this file holds no marker itself.
const skip = ["sk", "ip"].join("");
const only = ["on", "ly"].join("");
const later = ["to", "do"].join("");

describe("lint", () => {
  const long = (lines: number) => "  work();\n".repeat(lines);
  const planted = [
    ["typescript(no-explicit-any)", "any.ts", "export const pass = (value: any): unknown => value;\n"],
    ["typescript(ban-ts-comment)", "hushed.ts", '// @ts-ignore\nexport const one: number = "1";\n'],
    [
      "typescript(consistent-type-imports)",
      "type.ts",
      'import { A } from "../core/facts/index.ts";\nexport const a = (x: A): A => x;\n',
    ],
    [
      "typescript(no-non-null-assertion)",
      "bang.ts",
      "export const first = (list: readonly number[]): number => list[0]!;\n",
    ],
    [
      "typescript(no-floating-promises)",
      "floating.ts",
      "const wait = async (): Promise<void> => {};\nexport const go = (): void => {\n  wait();\n};\n",
    ],
    [
      "typescript(no-misused-promises)",
      "misused.ts",
      "const no = async (): Promise<boolean> => false;\nexport const go = (): number => (no() ? 1 : 2);\n",
    ],
    ["typescript(only-throw-error)", "thrown.ts", 'export const fail = (): never => {\n  throw "text";\n};\n'],
    [
      "typescript(switch-exhaustiveness-check)",
      "switch.ts",
      'export const f = (x: "a" | "b"): number => {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n};\n',
    ],
    ["import(no-default-export)", "default.ts", "const value = 1;\nexport default value;\n"],
    ["import(no-mutable-exports)", "mutable.ts", "export let value = 1;\nvalue += 1;\n"],
    ["eslint(no-console)", "console.ts", 'export const speak = (): void => console.log("hello");\n'],
    ["eslint(no-var)", "var.ts", "export const f = (): number => {\n  var x = 1;\n  return x;\n};\n"],
    [
      "eslint(no-empty)",
      "swallowed.ts",
      "export const f = (work: () => void): void => {\n  try {\n    work();\n  } catch {}\n};\n",
    ],
    ["eslint(max-lines)", "long.ts", `${"export {};\n".repeat(401)}`],
    ["eslint(max-lines-per-function)", "tall.ts", `export const f = (work: () => void): void => {\n${long(60)}};\n`],
    [
      "eslint(max-params)",
      "wide.ts",
      "export const f = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n",
    ],
    [
      "vitest(no-disabled-tests)",
      "disabled.test.ts",
      `import { expect, test } from "vitest";\ntest.${skip}("x", () => {\n  expect(1).toBe(1);\n});\n`,
    ],
    [
      "vitest(no-focused-tests)",
      "focused.test.ts",
      `import { expect, test } from "vitest";\ntest.${only}("x", () => {\n  expect(1).toBe(1);\n});\n`,
    ],
    ["vitest(warn-todo)", "later.test.ts", `import { test } from "vitest";\ntest.${later}("x");\n`],
    ["vitest(expect-expect)", "idle.test.ts", 'import { test } from "vitest";\ntest("x", () => {});\n'],
    [
      "vitest(valid-expect)",
      "loose.test.ts",
      'import { expect, test } from "vitest";\ntest("x", () => {\n  expect(1);\n});\n',
    ],
  ] as const;
  let found: ReadonlySet<string> = new Set();

  beforeAll(() => {
    const files = Object.fromEntries(planted.map(([, file, text]) => [`src/app/${file}`, text]));
    using house = buildHouse({ ...manifest(), ...files });
    const { code, output } = runIn(house.root, "oxlint", ["--format", "json"]);
    if (code !== 1) throw new Error(output);
    const { diagnostics } = JSON.parse(output) as { diagnostics: readonly { code: string; filename: string }[] };
    found = new Set(diagnostics.map((diagnostic) => `${diagnostic.code} ${diagnostic.filename}`));
  });

  test.each(planted)("lint rule %s turns red", (rule, file) => {
    expect(found).toContain(`${rule} src/app/${file}`);
  });

  test("every lint rule that the house adds has a planted breach", () => {
    const { rules } = JSON.parse(fs.readFileSync(path.join(repository, ".oxlintrc.json"), "utf8")) as {
      rules: Record<string, unknown>;
    };
    const added = Object.keys(rules).filter((rule) => rules[rule] !== "off");
    const names = new Set(planted.map(([code]) => code.replace("(", "/").replace(")", "")));
    expect(names).toEqual(new Set(added));
  });

  test("a sound house is green under lint", () => {
    using house = buildHouse(manifest());
    expect(runIn(house.root, "oxlint", [])).toMatchObject({ code: 0 });
  });
});

describe("types", () => {
  const planted = [
    ["TS2322", "wrong.ts", 'export const one: number = "1";\n'],
    ["TS1294", "enum.ts", "export enum Colour {\n  red,\n}\n"],
    ["TS1484", "type-import.ts", 'import { A } from "../core/facts/index.ts";\nexport type B = A;\n'],
    ["TS2532", "unchecked.ts", "export const f = (list: readonly string[]): number => list[0].length;\n"],
    ["TS2375", "optional.ts", "export const f: { a?: number } = { a: undefined };\n"],
    ["TS7030", "returns.ts", "export const f = (x: boolean) => {\n  if (x) return 1;\n};\n"],
  ] as const;

  test("each planted type error turns the compiler red, a sound house is green", () => {
    const files = Object.fromEntries(planted.map(([, file, text]) => [`src/app/${file}`, text]));
    using house = buildHouse({ ...manifest(), ...files });
    const { code, output } = runIn(house.root, "tsc", ["-p", "tsconfig.json"]);
    expect(code).not.toBe(0);
    for (const [error, file] of planted) expect(output).toMatch(new RegExp(`src/app/${file}.*${error}`));
    using sound = buildHouse(manifest());
    expect(runIn(sound.root, "tsc", ["-p", "tsconfig.json"])).toMatchObject({ code: 0 });
  });
});

describe("text", () => {
  const planted = [
    ["no-registry-host", "docs/a.md", `See https://${["registry", "npmjs", "org"].join(".")}/zod\n`],
    ["no-machine-path", "docs/b.md", `Lies in ${["", "work", "main", "src"].join("/")}\n`],
    ["no-module-state", "src/app/state.ts", "let count = 0;\nexport const next = (): number => ++count;\n"],
    ["no-vague-name", "src/app/string-utils.ts", "export const one = 1;\n"],
    ["no-vague-name", "src/app/helpers/one.ts", "export const one = 1;\n"],
    ["kebab-case-name", "src/app/camelCase.ts", "export const one = 1;\n"],
  ] as const;

  test("each planted text turns the scan red, a sound house is green", () => {
    using house = buildHouse(Object.fromEntries(planted.map(([, file, text]) => [file, text])));
    const { code, output } = runTool(house.root, "scan-text.ts");
    expect(code).toBe(1);
    for (const [rule, file] of planted) expect(output).toMatch(new RegExp(`^${file}:\\d+ ${rule}: `, "m"));
    using sound = buildHouse();
    expect(runTool(sound.root, "scan-text.ts")).toMatchObject({ code: 0 });
  });
});

test("an unformatted file turns the format check red, a sound house is green", () => {
  using house = buildHouse({ "src/app/ugly.ts": "export   const one=1\n" });
  const { code, output } = runIn(house.root, "prettier", ["--check", "src/app/ugly.ts"]);
  expect(code).toBe(1);
  expect(output).toContain("src/app/ugly.ts");
  expect(runIn(house.root, "prettier", ["--check", "src/core"])).toMatchObject({ code: 0 });
});

test("dead code turns red: an unused file, export and dependency", () => {
  const dead = {
    "src/app/orphan.ts": "export const orphan = 1;\n",
    "src/core/digest.ts":
      'import { createHash } from "node:crypto";\nexport const hash = createHash("sha256");\nexport const unused = 1;\n',
  };
  using house = buildHouse({ ...manifest({ dependencies: { zod: "4", yaml: "2" } }), ...dead });
  const { code, output } = runIn(house.root, "knip", ["--no-progress", "--no-config-hints"]);
  expect(code).toBe(1);
  expect(output).toMatch(/Unused files[^]*src\/app\/orphan\.ts/);
  expect(output).toMatch(/Unused dependencies[^]*yaml/);
  expect(output).toMatch(/Unused exports[^]*unused +src\/core\/digest\.ts/);
  using sound = buildHouse(manifest());
  expect(runIn(sound.root, "knip", ["--no-progress", "--no-config-hints"])).toMatchObject({ code: 0 });
});

test("a schema that the sources no longer say turns red, a fresh one is green", () => {
  const generator = {
    "tools/generate-schemas.ts": 'import fs from "node:fs";\nfs.writeFileSync("schemas/a.json", "{}\\n");\n',
  };
  using stale = buildHouse({ ...generator, "schemas/a.json": "{ }\n" });
  expect(runTool(stale.root, "check-schemas.ts").output).toContain("stale-schema: schemas/a.json");
  using leftOver = buildHouse({ ...generator, "schemas/a.json": "{}\n", "schemas/b.json": "{}\n" });
  expect(runTool(leftOver.root, "check-schemas.ts").output).toContain("stale-schema: schemas/b.json");
  using fresh = buildHouse({ ...generator, "schemas/a.json": "{}\n" });
  expect(runTool(fresh.root, "check-schemas.ts")).toMatchObject({ code: 0 });
});

test("a package whose entry is missing turns red, a whole one is green", () => {
  const built = { "dist/index.js": "export const a = 1;\n", "dist/index.d.ts": "export declare const a: number;\n" };
  using broken = buildHouse({ ...manifest(), "dist/other.js": "export {};\n" });
  const { code, output } = runTool(broken.root, "check-package.ts");
  expect(code).toBe(1);
  expect(output).toContain("the file does not exist");
  using whole = buildHouse({ ...manifest(), ...built });
  expect(runTool(whole.root, "check-package.ts")).toMatchObject({ code: 0 });
});
