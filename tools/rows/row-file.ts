import { z } from "zod";

/** A change to one source file that a row's test must notice: `find` stands in it exactly once. */
const faultSchema = z.strictObject({ file: z.string(), find: z.string().min(1), replace: z.string() });

const rowSchema = z
  .strictObject({
    assert: z.string().min(1),
    /** True when the mission itself names it: then a fault must show that its test turns red. */
    core: z.boolean(),
    /** The issue that builds it, null when none does yet. */
    issue: z.int().positive().nullable(),
    status: z.enum(["held", "open"]),
    tests: z.array(z.string()),
    fault: faultSchema.optional(),
  })
  .refine((row) => row.status === "open" || row.tests.length > 0, "a held row names its tests")
  .refine((row) => row.status === "open" || !row.core || row.fault !== undefined, "a held core row plants a fault");

export type Row = z.infer<typeof rowSchema> & { readonly id: string };

/** How many rows each letter of the checklist has; S are its stories. A row that vanished must not go unseen. */
const rowCounts = { A: 24, B: 18, C: 13, D: 14, E: 18, F: 18, G: 11, H: 15, I: 11, S: 3 } as const;

const expectedIds = (): readonly string[] =>
  Object.entries(rowCounts).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
  );

/** Reads `test/rows.json`. Throws when a row is malformed, unknown or missing. */
export const parseRows = (text: string): readonly Row[] => {
  const rows = z.record(z.string(), rowSchema).parse(JSON.parse(text));
  const ids = new Set(expectedIds());
  const unknown = Object.keys(rows).filter((id) => !ids.has(id));
  const missing = [...ids].filter((id) => rows[id] === undefined);
  if (unknown.length > 0) throw new Error(`rows that the checklist does not have: ${unknown.join(", ")}`);
  if (missing.length > 0) throw new Error(`rows of the checklist that are missing: ${missing.join(", ")}`);
  return Object.entries(rows).map(([id, row]) => ({ id, ...row }));
};
