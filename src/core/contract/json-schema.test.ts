import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderSchemas } from "../../../tools/generate-schemas.ts";
import { contractJsonSchema } from "./json-schema.ts";
import { contractSchema } from "./schema.ts";

describe("contractJsonSchema", () => {
  it("names every key of the format and refuses others", () => {
    const schema = contractJsonSchema();
    expect(Object.keys(Object(schema["properties"]))).toEqual(Object.keys(contractSchema.shape));
    expect(schema["additionalProperties"]).toBe(false);
    expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
  });

  it("the committed files are the generated ones", async () => {
    for (const [name, text] of Object.entries(await renderSchemas())) {
      const file = new URL(`../../../schemas/${name}`, import.meta.url);
      expect(readFileSync(file, "utf8"), `run node tools/generate-schemas.ts for ${name}`).toBe(text);
    }
  });
});
