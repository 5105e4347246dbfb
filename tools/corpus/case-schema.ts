import { z } from "zod";

/** Runners that a case may be about; `none` for one whose cheat needs no test run. */
export const corpusRunners = ["vitest", "jest", "node-test", "pytest", "none"] as const;

/** Attacks that chance could let through once in many runs, so that their cases are run many times as well. */
export const repeatedAttacks = ["report-path", "witness-descriptor", "imported-by-config"] as const;

const folder = z.string().regex(/^[a-z0-9_][a-z0-9-]*$/u);
const file = z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$)).+$/u);
const code = z.string().regex(/^[a-z0-9-]+$/u);
const outcome = z.enum(["passed", "blocked", "undetermined"]);
const steps = z.array(z.record(z.string(), z.unknown())).min(1);
const contract = z.record(z.string(), z.unknown());

const named = {
  $schema: z.string().optional(),
  version: z.literal(1),
  kind: z.enum(["cheat", "honest"]),
  /** Row of the catalogue; null for ordinary honest work. */
  number: z.int().positive().nullable(),
  name: z.string().min(1),
  /** One sentence: how it deceives, or what the honest work is. */
  mechanism: z.string().min(1),
  runner: z.enum(corpusRunners),
};

const twin = z.strictObject({
  /** Below the case, or a shared folder below `_twins`. */
  folder: z.union([z.literal("honest"), z.string().regex(/^_twins\/[a-z0-9-]+$/u)]),
  delete: z.array(file).optional(),
  /** Played after the folder's files were written, inside the agent's sandbox. */
  steps: steps.optional(),
  /** Instead of the case's, where the honest work promises another number. */
  contract: contract.optional(),
  /** Codes that must stand among the warnings. */
  warns: z.array(code).optional(),
});

const runSchema = z.strictObject({
  ...named,
  base: folder,
  /** Base's own files over the shared ones lie in `base/`. */
  contract,
  delete: z.array(file).optional(),
  steps: steps.optional(),
  expected: z.strictObject({
    /** At grade A. */
    outcome,
    /** Codes that must stand among what blocks, or, for honest work, among the warnings. */
    codes: z.array(code),
    /** With identities and clean room only, and with counts, scope and caps only. */
    b: outcome,
    counts: outcome,
  }),
  /** Tests from `held-out/` that the agent never sees. */
  held_out: z
    .array(z.strictObject({ file, path: file, command: z.string().min(1), passed: z.int().positive() }))
    .min(1)
    .optional(),
  /** Of a cheat: the honest work under the same contract, which must pass. */
  twin: twin.optional(),
  /** Among the few that every change is checked with. */
  fast: z.literal(true).optional(),
  /** Which of the attacks that are run many times it is. */
  repeat: z.enum(repeatedAttacks).optional(),
  /** Why it is not blocked yet. When it is, the run is red until this line goes. */
  expected_survivor: z.string().min(1).optional(),
});

const notRunSchema = z.strictObject({
  ...named,
  /** Why it cannot be said as data, and where it is tried instead. Never counted as blocked. */
  not_run: z.string().min(1),
});

/** `case.json`, read strictly. */
export const caseSchema = z.union([runSchema, notRunSchema]);

export type RunCase = z.infer<typeof runSchema>;
export type NotRunCase = z.infer<typeof notRunSchema>;

/** Whether a case holds something to run. */
export function isRunCase(data: RunCase | NotRunCase): data is RunCase {
  return !("not_run" in data);
}

/** What is wrong in a case although each key is right; empty when nothing is. */
export function caseFlaws(data: RunCase | NotRunCase): readonly string[] {
  const cheat = data.kind === "cheat";
  const flaws = cheat === (data.number === null) ? ["a cheat has a number, honest work has none"] : [];
  if (!isRunCase(data)) return flaws;
  if (cheat !== (data.twin !== undefined)) flaws.push("a cheat has a twin, honest work is one");
  if (cheat && data.expected.outcome === "passed")
    flaws.push("a cheat is never expected to pass: say expected_survivor");
  if (cheat && data.expected.codes.length === 0) flaws.push("a cheat says which code blocks it");
  return flaws;
}
