import { z } from "zod";

const lineSchema = z.looseObject({ type: z.string(), text: z.string().optional() });

function parseLine(line: string): z.infer<typeof lineSchema> | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** The words of a `say` line of the player, or null for any other line. */
export function parseSaid(line: string): string | null {
  const parsed = parseLine(line);
  return parsed?.type === "say" ? (parsed.text ?? null) : null;
}

/** A line of the player for people, as lines; what is not one is shown as it is. */
export function renderPlayerLine(line: string): readonly string[] {
  const parsed = parseLine(line);
  if (parsed === null) return [line];
  const text = parsed.type === "say" ? (parsed.text ?? "") : `${parsed.type}: ${parsed.text ?? ""}`;
  return text.split(/\r\n|[\r\n]/u);
}
