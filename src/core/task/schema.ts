import { z } from "zod";
import { contractSchema } from "../contract/index.ts";

const positive = z.int().min(1);

const budget = z
  .strictObject({
    minutes: positive.optional(),
    tokens: positive.optional(),
    usd: z.number().gt(0).optional(),
    rounds: positive.optional(),
  })
  .meta({ description: "What the agent may use up; minutes of wall clock, tokens, US dollars, rounds." });

const fields = {
  title: z.string().min(1).max(200).meta({ description: "One line, at most 200 characters." }),
  repo: z.string().min(1).max(2048).meta({
    description: "owner/name, an https or ssh address without user name and password, or a path.",
  }),
  base_ref: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Branch, tag or commit; default: the remote's HEAD." }),
  agent: z.string().min(1).max(4096).optional().meta({ description: "scripted:FILE or command:PROGRAM ARG..." }),
  authority: z.enum(["operator", "auto_safe", "proposed"]).optional(),
  intent: z.enum(["behaviour", "refactor", "docs", "dependencies", "chore"]).optional(),
  budget: budget.optional(),
  created_at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "Date of the commit, with a time zone." }),
};

/** The front matter of a Markdown task. */
export const frontMatterSchema = z.strictObject(fields);

/** A task as one JSON file; `$schema` is for editors. */
export const taskSchema = z
  .strictObject({
    $schema: z.string().optional(),
    ...fields,
    prompt: z.string().min(1).max(100_000).meta({ description: "What the agent is asked to do." }),
    contract: contractSchema.optional(),
  })
  .meta({ title: "Trueup task", description: "One requested change to one repository." });

/** The front matter as written. */
export type FrontMatter = z.infer<typeof frontMatterSchema>;
export type TaskAuthority = NonNullable<FrontMatter["authority"]>;
export type TaskBudget = z.infer<typeof budget>;
