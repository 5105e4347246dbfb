import { z } from "zod";
import type { Digest } from "../digest.ts";

const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/u)
  .transform((value) => value as Digest);

const recordSchema = z.strictObject({
  version: z.literal(1),
  root: z.string().min(1),
  files: z.array(z.strictObject({ path: z.string().min(1), digest })),
  directories: z.array(z.string().min(1)),
});

/** What `init` wrote into one work tree. Only what stands here, with these bytes, is ever removed again. */
export type InitRecord = z.infer<typeof recordSchema>;

/** A record from its JSON text, or null for anything else. */
export function parseInitRecord(text: string): InitRecord | null {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A record that says nothing yet. */
export function emptyInitRecord(root: string): InitRecord {
  return { version: 1, root, files: [], directories: [] };
}

/** The record with one more file, in place of an older entry of it, and the directories that were made for it. */
export function withFile(
  record: InitRecord,
  file: { readonly path: string; readonly digest: Digest },
  directories: readonly string[] = [],
): InitRecord {
  const files = [...record.files.filter((one) => one.path !== file.path), file];
  return { ...record, files, directories: [...new Set([...record.directories, ...directories])] };
}
