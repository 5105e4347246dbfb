import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { contractJsonSchema } from "../src/core/contract/index.ts";
import { policyJsonSchema } from "../src/core/policy/index.ts";
import { taskJsonSchema } from "../src/core/task/index.ts";

/** The generated files by name under `schemas/`, as the text they must have. */
export async function renderSchemas(): Promise<Readonly<Record<string, string>>> {
  return {
    "config.schema.json": await renderSchema(policyJsonSchema()),
    "contract.schema.json": await renderSchema(contractJsonSchema()),
    "task.schema.json": await renderSchema(taskJsonSchema()),
  };
}

/** The house's formatting, so that the formatter leaves generated files alone. */
async function renderSchema(schema: Readonly<Record<string, unknown>>): Promise<string> {
  return format(JSON.stringify(schema), { parser: "json", printWidth: 120 });
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await renderSchemas())) {
    writeFileSync(fileURLToPath(new URL(`../schemas/${name}`, import.meta.url)), text);
  }
}
