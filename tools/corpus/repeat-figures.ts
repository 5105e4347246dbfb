import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isRunCase } from "./case-schema.ts";
import type { CorpusCase } from "./load-corpus.ts";
import { planCase, sideKey } from "./plan-side.ts";

const figureSchema = z.strictObject({
  /** Of what was delivered, so that a figure is not believed of a case that has changed since. */
  side: z.string(),
  runs: z.int().positive(),
  blocked: z.int().nonnegative(),
  /** Codes that stood in every one of the runs. */
  always: z.array(z.string()),
});

const fileSchema = z.strictObject({ version: z.literal(1), cases: z.record(z.string(), figureSchema) });

/** How often a case was delivered and how often it was stopped. */
export type RepeatFigure = z.infer<typeof figureSchema>;

/** By the case's name. */
export type RepeatFigures = Readonly<Record<string, RepeatFigure>>;

const place = (root: string): string => path.join(root, "_repeats.json");

/** What `npm run corpus -- --repeat N --record` left below the corpus; none where it never ran. */
export function readFigures(root: string): RepeatFigures {
  if (!fs.existsSync(place(root))) return {};
  return fileSchema.parse(JSON.parse(fs.readFileSync(place(root), "utf8"))).cases;
}

/** Adds figures to those that are there, by name. */
export function writeFigures(root: string, fresh: RepeatFigures): void {
  const all = Object.entries({ ...readFigures(root), ...fresh }).toSorted(([one], [other]) => (one < other ? -1 : 1));
  fs.writeFileSync(place(root), `${JSON.stringify({ version: 1, cases: Object.fromEntries(all) }, null, 2)}\n`);
}

/** The names of figures that are of no case, or of one that has changed since it was counted. */
export function staleFigures(root: string, cases: readonly CorpusCase[]): readonly string[] {
  const now = new Map(
    cases.flatMap((one) =>
      isRunCase(one.data) ? [[one.id, sideKey(planCase(root, { ...one, data: one.data }))] as const] : [],
    ),
  );
  return Object.entries(readFigures(root)).flatMap(([id, { side }]) => (now.get(id) === side ? [] : [id]));
}
