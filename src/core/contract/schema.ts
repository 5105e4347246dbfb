import { z } from "zod";

const count = z.int().min(0);
const positive = z.int().min(1);
const text = z.string().min(1);
/** A repository-relative path or glob; its rules are checked in `parse-contract.ts` with a reason for each. */
const path = z.string().min(1);
const command = z.string().min(1);

const envName = z.enum(["TZ", "LANG", "LC_ALL", "LC_CTYPE", "NODE_ENV", "CI"]);

const testsEntry = z
  .strictObject({
    command: command.meta({
      description: "Split into words; no shell syntax; reporter, output and config flags are ours.",
    }),
    cwd: path.optional().meta({ description: "Directory the command runs in, relative to the repository root." }),
    passed: positive.optional().meta({ description: "Exactly this many tests pass on head." }),
    added: count.optional().meta({ description: "Passed on head minus passed on base." }),
    names: z.array(text).min(1).optional().meta({ description: "Tests that exist and pass on head: `suite > title`." }),
    keep_base: z
      .boolean()
      .optional()
      .meta({ description: "Every test that passed on base passes on head. Default true." }),
    retired: z.array(text).min(1).optional().meta({ description: "Tests that may go." }),
    may_update: z
      .array(text)
      .min(1)
      .optional()
      .meta({ description: "Tests or snapshots whose expectation may change." }),
    red_on_base: z.enum(["auto", "all", "some", "none"]).optional(),
    timeout_seconds: positive.optional(),
    env: z.partialRecord(envName, z.string()).optional(),
  })
  .meta({ description: "A test command that the executor runs again in the clean room." });

const step = z.strictObject({ command, cwd: path.optional(), timeout_seconds: positive.optional() });
const contentPair = z.strictObject({ path, text });

/** The acceptance contract as it is written: every key of the format, strict. */
export const contractSchema = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1).optional(),
    intent: z
      .enum(["behaviour", "refactor", "docs", "dependencies", "chore"])
      .optional()
      .meta({ description: "What kind of change it is; default behaviour." }),
    changed_files_only: z
      .array(path)
      .min(1)
      .optional()
      .meta({ description: "Paths or globs; every changed path matches one." }),
    changed_files_within: z
      .array(z.array(path).min(1))
      .min(1)
      .optional()
      .meta({ description: "Further lists; every changed path matches one of each. Made where two contracts hold." }),
    changed_files_required: z.array(path).min(1).optional().meta({ description: "Exact paths; each is changed." }),
    changed_files_forbidden: z.array(path).min(1).optional().meta({ description: "Paths or globs that never change." }),
    allow_protected: z
      .array(path)
      .min(1)
      .optional()
      .meta({ description: "Paths or globs of protected files that this change may touch." }),
    max_added_lines: count.optional().meta({ description: "Inclusive." }),
    max_deleted_lines: count.optional().meta({ description: "Inclusive." }),
    max_changed_files: count.optional().meta({ description: "Inclusive." }),
    max_changed_bytes: count.optional().meta({ description: "Inclusive." }),
    uncounted: z.array(path).min(1).optional().meta({ description: "Paths or globs whose lines do not count." }),
    generated: z
      .array(step.extend({ paths: z.array(path).min(1) }))
      .min(1)
      .optional()
      .meta({
        description:
          "Files that a command makes: their lines do not count, and the command makes them again, byte for byte.",
      }),
    file_contains: z
      .array(contentPair)
      .min(1)
      .optional()
      .meta({ description: "Literal text that the file holds after the change; a missing file fails." }),
    file_excludes: z
      .array(contentPair)
      .min(1)
      .optional()
      .meta({ description: "Literal text that the file does not hold after the change; a missing file passes." }),
    tests: z
      .array(testsEntry)
      .min(1)
      .optional()
      .meta({ description: "Test commands that are run again on exactly the captured tree." }),
    prepare: z.array(step).min(1).optional().meta({ description: "Build steps before the tests, in order." }),
    commands: z.array(step).min(1).optional().meta({ description: "Acceptance commands; each ends with exit code 0." }),
    held_out_tests: z
      .array(
        z.strictObject({
          path: path.meta({ description: "Where the file is put, over whatever stands there." }),
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/u)
            .meta({ description: "Of the file's bytes; `trueup contract add-held-out` prints it." }),
          command: command.meta({
            description: "A test command, or any other program, whose exit code 0 counts as one passed.",
          }),
          cwd: path.optional(),
          passed: positive,
        }),
      )
      .min(1)
      .optional()
      .meta({ description: "Tests that the agent never sees; put into the captured tree last." }),
    needs: z
      .array(z.union([z.enum(["proc", "browser"]), z.string().regex(/^network:[a-z0-9.-]+$/u)]))
      .min(1)
      .optional(),
    services: z
      .array(z.strictObject({ name: text, command, ready: text }))
      .min(1)
      .optional(),
    baseline: z
      .enum(["green", "no-worse"])
      .optional()
      .meta({ description: "What base must be like: all tests pass, or failing ones do not become more." }),
    projects: z
      .array(
        z.strictObject({
          root: path,
          lockfile: path,
          tests: z.array(testsEntry).min(1).optional(),
          commands: z.array(step).min(1).optional(),
        }),
      )
      .min(1)
      .optional(),
    coverage: z
      .strictObject({ floor: z.number().min(0).max(100).optional(), max_drop: z.number().min(0).max(100).optional() })
      .optional(),
    budget: z.strictObject({ minutes: positive.optional(), violations: count.optional() }).optional(),
    network: z.union([z.literal("none"), z.array(text).min(1)]).optional(),
    soft_paths: z
      .array(path)
      .min(1)
      .optional()
      .meta({ description: "Paths or globs outside the scope that only inform." }),
    rollback_plan: text.optional().meta({ description: "Words for people." }),
    approvals: z.array(text).min(1).optional(),
  })
  .meta({
    title: "Trueup acceptance contract",
    description: "What a correct result looks like, written before the agent starts.",
  });

/** A parsed contract: exactly what was written, nothing filled in. */
export type AcceptanceContract = z.infer<typeof contractSchema>;
export type TestsEntry = z.infer<typeof testsEntry>;
export type HeldOutEntry = NonNullable<AcceptanceContract["held_out_tests"]>[number];
export type StepEntry = z.infer<typeof step>;
