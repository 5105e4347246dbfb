import { z } from "zod";
import type { Digest } from "../../../core/digest.ts";
import type { StepName } from "../../../ports/index.ts";

/** The steps in the order in which a delivery takes them. */
export const stepOrder = [
  "admit",
  "lease",
  "reconcile",
  "clone",
  "toolchain",
  "bootstrap",
  "baseline",
  "agent",
  "capture",
  "verify",
  "publish",
  "confirm",
] as const satisfies readonly StepName[];

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/u) as z.ZodType<Digest>;
const milliseconds = z.int().min(0);
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

const stepSchema = z.strictObject({
  at: milliseconds,
  data: z.json().refine((value) => value !== null, "null is no result"),
});

const recordSchema = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(idPattern),
  task_key: digest,
  created_at: milliseconds,
  steps: z.partialRecord(z.enum(stepOrder), stepSchema),
  intents: z.array(z.strictObject({ branch: z.string().min(1), digest, at: milliseconds })),
});

/** `attempt.json`: everything that must survive a stop. */
export type AttemptRecord = z.infer<typeof recordSchema>;

/** Whether a directory's name is that of an attempt. */
export function isAttemptId(name: string): boolean {
  return idPattern.test(name);
}

/** Decodes `attempt.json`; null when it is not exactly the format or not of the directory it lies in. */
export function decodeAttempt(bytes: Uint8Array, id: string): AttemptRecord | null {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
    return parsed.success && parsed.data.id === id ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The bytes of `attempt.json`. */
export function encodeAttempt(record: AttemptRecord): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(record)}\n`);
}

/** A step's result as it will be read back. Throws `TypeError` on what JSON would lose or change. */
export function toStepData(data: unknown): z.infer<typeof stepSchema>["data"] {
  const text = JSON.stringify(data, (key, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${key} is not a finite number`);
    return value;
  });
  if (text === undefined || text === "null") throw new TypeError("a step's result must be JSON and not null");
  return stepSchema.shape.data.parse(JSON.parse(text));
}

/** A record without a step and all later ones. */
export function withoutSteps(record: AttemptRecord, from: StepName): AttemptRecord {
  const kept = stepOrder.slice(0, stepOrder.indexOf(from));
  const steps = Object.fromEntries(
    kept.flatMap((step) => (record.steps[step] === undefined ? [] : [[step, record.steps[step]]])),
  );
  return { ...record, steps };
}
