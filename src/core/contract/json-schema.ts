import { z } from "zod";
import { contractSchema } from "./schema.ts";

/** The contract format as JSON Schema, draft 2020-12, for editors and other tools. Path and command rules are not in it. */
export function contractJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(contractSchema, { target: "draft-2020-12" });
}
