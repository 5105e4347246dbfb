import { z } from "zod";
import { canonicalJson, sha256, type Digest } from "../digest.ts";

/** Where override rows lie in a repository. */
export const overrideDirectory = ".trueup/overrides/";

/** What a signature over a row is for: it holds for nothing else. */
export const overrideNamespace = "trueup-override";

/** Days that a row holds unless its maker says less or more. */
export const overrideDays = 30;

/** What a person signs: one finding, under one contract, of one change. */
export interface OverrideRow {
  readonly version: 1;
  readonly finding: { readonly code: string; readonly subject: string };
  /** Digest of the pinned contract; null when there is none. */
  readonly contract: Digest | null;
  /** Change digest computed without `.trueup/overrides/**`. */
  readonly change: Digest;
  readonly reason: string;
  /** As it stands in the allowed signers: the signature must be of a key of this user. */
  readonly user: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly expires_at: string;
}

/** One file: the row, and the signature over its canonical JSON; null for a row that nobody signed. */
export interface OverrideFile {
  readonly row: OverrideRow;
  readonly signature: string | null;
}

const digest = z.custom<Digest>(
  (value) => typeof value === "string" && /^sha256:[0-9a-f]{64}$/u.test(value),
  "not a digest",
);
const time = z.iso.datetime();
/** Text for people: at most this many characters, and something in it. */
const words = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/\S/u, "it is empty")
    .refine((text) => text.isWellFormed(), "not well-formed");

const rowSchema: z.ZodType<OverrideRow> = z.strictObject({
  version: z.literal(1),
  finding: z.strictObject({ code: z.string().regex(/^[a-z0-9-]{1,100}$/u), subject: z.string().max(4096) }),
  contract: z.nullable(digest),
  change: digest,
  reason: words(2000),
  user: words(200),
  created_at: time,
  expires_at: time,
});

const fileSchema: z.ZodType<OverrideFile> = z.strictObject({
  row: rowSchema,
  signature: z.nullable(z.string().max(16_384)),
});

/** The file, or why the text is none. */
export type OverrideResult =
  { readonly ok: true; readonly file: OverrideFile } | { readonly ok: false; readonly reason: string };

/** Reads a file of `.trueup/overrides/` strictly: its bytes must be exactly what `renderOverride` writes. */
export function parseOverride(text: string): OverrideResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, reason: "it is not JSON" };
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, reason: `${issue?.path.map(String).join(".") || "file"}: ${issue?.message ?? "not valid"}` };
  }
  // A key given twice would show a reader another value than the one that was signed.
  const same = renderOverride(parsed.data) === text;
  return same ? { ok: true, file: parsed.data } : { ok: false, reason: "its bytes are not in the one stored form" };
}

/** The one stored form: canonical JSON and a line break. */
export function renderOverride(file: OverrideFile): string {
  return `${canonicalJson(file)}\n`;
}

/** The exact bytes that are signed, as text. */
export function signedText(row: OverrideRow): string {
  return canonicalJson(row);
}

/** The digest of a row. */
export function digestOfRow(row: OverrideRow): Digest {
  return sha256(signedText(row));
}

/** The one place of a row: named by its digest, so that two branches never write the same file in two ways. */
export function overridePath(row: OverrideRow): string {
  return `${overrideDirectory}${digestOfRow(row).slice("sha256:".length)}.json`;
}

/** Whether a path can be one of a row. */
export function isOverridePath(path: string): boolean {
  return /^\.trueup\/overrides\/[0-9a-f]{64}\.json$/u.test(path);
}
