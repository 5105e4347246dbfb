import { z } from "zod";
import type { PolicyRule, QuarantinedTest } from "../facts/index.ts";

/** Whose changes are judged by which profile. */
export interface PolicyProfile {
  readonly profile: "agent" | "person";
  /** As the forge says it, never the author of a commit. */
  readonly author: "person" | "bot";
  readonly permission?: "write";
  /** Only where every changed path matches one. */
  readonly paths?: readonly string[];
}

/** What `.trueup/config.json` of the base revision says; every key may be missing. Nobody else decides these. */
export interface PolicyFile {
  readonly $schema?: string;
  readonly version: 1;
  readonly failed_records?: "retries" | "any";
  readonly require_contract?: boolean;
  readonly require_presence?: boolean;
  readonly minimum_grade?: "A" | "B" | "C";
  readonly strict?: boolean | readonly string[];
  /** The first that matches decides by which profile a change is judged. */
  readonly profiles?: readonly PolicyProfile[];
  readonly quarantine?: readonly QuarantinedTest[];
  readonly rules?: readonly PolicyRule[];
}

const words = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/\S/u, "is empty")
    .refine((text) => text.isWellFormed(), "is not well-formed");

const quarantined = z.strictObject({
  test: words(1000).describe("The test, as `suite > title`, or with `file > ` in front."),
  reason: words(1000).describe("Why it is put up with; stands in reports."),
  until: z.iso.date().describe("The last day, UTC, on which it counts: 2026-12-31."),
});

const profile = z.strictObject({
  profile: z
    .enum(["agent", "person"])
    .describe("`agent` is strict; under `person` protected paths and changed expectations warn."),
  author: z.enum(["person", "bot"]).describe("As the forge says it."),
  permission: z.literal("write").exactOptional().describe("Only who may write to the repository."),
  paths: z.array(words(1000)).min(1).exactOptional().describe("Only where every changed path matches one."),
});

const rule = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/u, "is no name: small letters, digits and hyphens"),
    category: z.enum(["architecture", "security", "testing", "style", "documentation"]),
    paths: z.array(words(1000)).min(1).describe("Paths or globs of the files it is about."),
    forbids: words(1000).exactOptional().describe("Literal text that no new line may hold."),
    requires: words(1000).exactOptional().describe("Literal text that each changed file has to hold."),
    severity: z.enum(["block", "warn", "info"]),
    reason: words(1000).describe("Why; stands in reports."),
    until: z.iso.date().exactOptional().describe("The last day, UTC, on which it counts."),
  })
  .refine(
    ({ forbids, requires }) => (forbids === undefined) !== (requires === undefined),
    "has one check: `forbids` or `requires`",
  );

/** The stored form, strict. */
export const policySchema: z.ZodType<PolicyFile> = z
  .strictObject({
    $schema: z.string().exactOptional(),
    version: z.literal(1),
    failed_records: z
      .enum(["retries", "any"])
      .exactOptional()
      .describe(
        "Which failed records of an acceptance command block: those of the judged tree and its retries, or any.",
      ),
    require_contract: z.boolean().exactOptional().describe("Whether a change without a contract fails in CI."),
    require_presence: z.boolean().exactOptional().describe("Whether overrides want a security key that was touched."),
    minimum_grade: z
      .enum(["A", "B", "C"])
      .exactOptional()
      .describe("The least grade of a pass; without it each command has its own."),
    strict: z
      .union([z.boolean(), z.array(words(200)).max(100)])
      .exactOptional()
      .describe("Whether warnings block: always, never, or for changes to branches that match one of these globs."),
    rules: z
      .array(rule)
      .max(200)
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "has a name twice")
      .exactOptional()
      .describe("Rules over the text of changed files."),
    profiles: z
      .array(profile)
      .max(50)
      .exactOptional()
      .describe("By which profile a pull request is judged: the first that matches, else `agent`."),
    quarantine: z.array(quarantined).max(1000).exactOptional().describe("Tests that fail now and then, with an end."),
  })
  .describe("Policy of a repository. Only the copy in the base revision counts.");

/** The policy file's format as JSON Schema, draft 2020-12. */
export function policyJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(policySchema, { target: "draft-2020-12" });
}
