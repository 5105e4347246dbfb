import { z } from "zod";

const path = z.string().min(1);
const text = z.string();

const step = z.union([
  z.strictObject({ write: z.strictObject({ path, text }) }),
  z.strictObject({ edit: z.strictObject({ path, find: z.string().min(1), replace: text }) }),
  z.strictObject({ append: z.strictObject({ path, text }) }),
  z.strictObject({ delete: path }),
  z.strictObject({ symlink: z.strictObject({ path, target: z.string().min(1) }) }),
  z.strictObject({ chmod: z.strictObject({ path, mode: z.string().regex(/^[0-7]{3,4}$/u) }) }),
  z.strictObject({ run: z.array(z.string()).min(1) }),
  z.strictObject({ say: text }),
  z.strictObject({ sleep_ms: z.int().min(0).max(3_600_000) }),
]);

/** Exit code of the player when a step cannot be played; a script may not ask for it. */
export const badStepExit = 70;

const scriptSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  /** Shown to people; not played. */
  about: z.string().optional(),
  steps: z.array(step),
  /** How the run says it ended when every step was played; by default what the exit code means. */
  stop: z.enum(["end_turn", "budget", "cancelled", "agent_error", "protocol_fault", "no_model", "crashed"]).optional(),
  exit: z
    .int()
    .min(0)
    .max(255)
    .refine((code) => code !== badStepExit, `${badStepExit} says that a step could not be played`)
    .optional(),
});

/** A scripted agent: edits, commands and words, played in order inside the sandbox. */
export type AgentScript = z.infer<typeof scriptSchema>;

export type AgentScriptResult =
  { readonly ok: true; readonly script: AgentScript } | { readonly ok: false; readonly reason: string };

/** Parses a script's JSON text, strictly. */
export function parseAgentScript(json: string): AgentScriptResult {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { ok: false, reason: "not JSON" };
  }
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) return { ok: true, script: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, reason: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}` };
}
