import { z } from "zod";

const text = z.string();

/** One case as the runner reported it; what its state means is decided in `decode-witness.ts`. */
const rawCase = z.strictObject({
  id: text,
  project: text,
  /** Absolute path inside the sandbox. */
  file: text,
  suite: z.array(text),
  title: text,
  state: z.enum(["passed", "failed", "skipped", "pending"]),
  mode: text.nullable(),
  /** The case is written to fail (`it.fails`). */
  fails: z.boolean(),
  retries: z.int().min(0),
  errors: z.array(text),
});

const rawModule = z.strictObject({
  id: text,
  project: text,
  file: text,
  state: z.enum(["passed", "failed", "skipped", "pending", "queued"]),
  errors: z.array(text),
});

const hello = z.strictObject({ type: z.literal("hello"), version: z.literal(1), node: text, argv: z.array(text) });

/** What a runner says of itself before it runs; each runner's dialect reads its own `projects`. */
const init = z.strictObject({
  type: z.literal("init"),
  version: z.literal(1),
  runner: z.strictObject({ name: text, version: text }),
  projects: z.array(z.record(text, z.unknown())),
});

const start = z.strictObject({
  type: z.literal("start"),
  modules: z.array(z.strictObject({ project: text, file: text, pool: text.nullable() })),
});

const end = z.strictObject({
  type: z.literal("end"),
  reason: text,
  cases: z.array(rawCase),
  modules: z.array(rawModule),
  unhandled: z.array(text),
  /** Counted over the runner's own task tree, apart from the lists. */
  counts: z.strictObject({ cases: z.int().min(0), passed: z.int().min(0), failed: z.int().min(0) }),
  /** Absolute paths of the files that decide how tests run, with what they import. */
  closure: z.array(text),
});

/** Every message of the witness protocol, version 1. */
export const witnessMessage = z.discriminatedUnion("type", [
  hello,
  init,
  start,
  z.strictObject({ type: z.literal("case"), case: rawCase }),
  z.strictObject({ type: z.literal("module"), module: rawModule }),
  end,
]);

export type WitnessMessage = z.infer<typeof witnessMessage>;
export type InitMessage = z.infer<typeof init>;
export type StartMessage = z.infer<typeof start>;
export type EndMessage = z.infer<typeof end>;
export type RawCase = z.infer<typeof rawCase>;
export type RawModule = z.infer<typeof rawModule>;
