import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { AgentScript } from "../../src/adapters/agent/scripted/agent-script.ts";
import type { Contract, Files, Step } from "./pipeline-stage.ts";

const examples = path.resolve(import.meta.dirname, "../../examples");

function readFiles(directory: string, below = ""): Record<string, Uint8Array> {
  const names = readdirSync(path.join(directory, below)).filter((name) => name !== "node_modules");
  return Object.assign(
    {},
    ...names.map((name) => {
      const file = path.join(below, name);
      const isDirectory = statSync(path.join(directory, file)).isDirectory();
      return isDirectory ? readFiles(directory, file) : { [file]: readFileSync(path.join(directory, file)) };
    }),
  ) as Record<string, Uint8Array>;
}

/** The files of `examples/slug-canary`, as the demo commits them. */
export const canary: Files = readFiles(path.join(examples, "slug-canary"));

/** One of the canary's files as text. */
export function canaryText(file: string): string {
  return Buffer.from(canary[file] ?? "").toString("utf8");
}

/** The steps of one of the example agents. */
export function exampleAgent(name: string): readonly Step[] {
  const text = readFileSync(path.join(examples, "agents", `${name}.json`), "utf8");
  return (JSON.parse(text) as AgentScript).steps;
}

/** The contract of the canary's task (story 3 of the checklist). */
export const canaryContract: Contract = {
  changed_files_only: ["src/slugify.ts", "test/slugify.test.ts"],
  changed_files_required: ["src/slugify.ts", "test/slugify.test.ts"],
  max_added_lines: 15,
  max_deleted_lines: 3,
  tests: [{ command: "npx vitest run", passed: 4 }],
};

/** The one-line mend of the source. */
export const mend: Step = {
  edit: { path: "src/slugify.ts", find: '.replace(/\\s/g, "-")', replace: '.replace(/\\s+/g, "-")' },
};

/** Puts test code behind the canary's last test, inside its suite. */
export function addTests(code: string): Step {
  const end = 'toBe("what-now");\n  });\n';
  return { edit: { path: "test/slugify.test.ts", find: end, replace: `${end}${code}` } };
}

/** One honest test of the mend: five lines. */
export const honestTest: Step = addTests(
  '\n  it("joins over a run", () => {\n    expect(slugify("a  b")).toBe("a-b");\n    expect(slugify("a   b c")).toBe("a-b-c");\n  });\n',
);
