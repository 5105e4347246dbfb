import { z } from "zod";
import type { CommandRecord } from "./record.ts";

const digest = z.templateLiteral(["sha256:", z.string().regex(/^[0-9a-f]{64}$/u)]);
const text = z.string();
const id = z.string().min(1);
const count = z.int().min(0);

const stream = z.strictObject({
  head: text,
  tail: text,
  omitted_lines: count,
  omitted_bytes: count,
  redactions: count,
});

const error = z.strictObject({
  kind: z.enum(["not-found", "not-executable", "spawn", "timeout", "signal", "output-lost", "runner-fault"]),
  detail: text,
  signal: z.string().min(1).nullable(),
});

/** A stored command record, strict: an unknown key or a null exit without its error is no record. */
export const recordSchema = z
  .strictObject({
    version: z.literal(1),
    command_id: id,
    parent_command_id: id.nullable(),
    session_id: id,
    task_id: id.nullable(),
    verification_id: id.nullable(),
    argv: z.array(text),
    cwd: text,
    matches: z.array(id),
    expectation: text.nullable(),
    started_at: z.iso.datetime(),
    duration_ms: z.number().min(0),
    exit_code: z.int().nullable(),
    error: error.nullable(),
    stdout: stream,
    stderr: stream,
    tree_before: text.nullable(),
    tree_after: text.nullable(),
    actor: z.enum(["agent", "executor", "ci"]),
    role: z.enum(["iteration", "acceptance", "proof", "bootstrap", "service"]),
    contract_digest: digest.nullable(),
    prev: digest.nullable(),
    digest,
  })
  .refine(({ exit_code, error: why }) => exit_code !== null || why !== null, {
    message: "a null exit code needs an error",
  }) satisfies z.ZodType<CommandRecord>;
