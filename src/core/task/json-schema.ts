import { z } from "zod";
import { taskSchema } from "./schema.ts";

/** The JSON task format as JSON Schema, draft 2020-12; a Markdown task's front matter has the same keys without the last two. */
export function taskJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(taskSchema, { target: "draft-2020-12" });
}
