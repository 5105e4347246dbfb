import { z } from "zod";
import type { ProfileFacts, QuarantineFacts, RuleFacts } from "../facts/index.ts";

const text = z.string();

/** The stored form of the profile that a change is judged by, strict. */
export const profileSchema: z.ZodType<ProfileFacts> = z.strictObject({
  name: z.enum(["agent", "person"]),
  because: text,
});

/** The stored form of the rules and where a change breaks them, strict. */
export const rulesSchema: z.ZodType<RuleFacts> = z.strictObject({
  judged_at: z.iso.datetime(),
  rules: z.array(
    z.strictObject({
      name: text,
      category: z.enum(["architecture", "security", "testing", "style", "documentation"]),
      paths: z.array(text),
      forbids: text.exactOptional(),
      requires: text.exactOptional(),
      severity: z.enum(["block", "warn", "info"]),
      reason: text,
      until: z.iso.date().exactOptional(),
    }),
  ),
  hits: z.array(
    z.strictObject({
      rule: text,
      path: text,
      kind: z.enum(["forbidden", "missing", "not-looked"]),
      line: z.nullable(z.int().positive()),
    }),
  ),
});

/** The stored form of the tests that base's policy puts up with, strict. */
export const quarantineSchema: z.ZodType<QuarantineFacts> = z.strictObject({
  judged_at: z.iso.datetime(),
  tests: z.array(z.strictObject({ test: text, reason: text, until: z.iso.date() })),
});
