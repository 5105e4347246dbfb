import { z } from "zod";
import type { Drift, FitReport } from "./fit-report.ts";

const known = z.object({
  commit: z.string(),
  tools: z.array(z.tuple([z.string(), z.string()])),
  dependencies: z.array(z.tuple([z.string(), z.string()])),
  runs: z.array(z.tuple([z.string(), z.string()])),
  grade: z.string(),
});

/** What is kept of a fit repository, to be compared with the next time. */
export type LastKnownGood = z.infer<typeof known>;

/** Reads what was kept; null for anything that this version did not write. */
export function parseLastKnownGood(value: unknown): LastKnownGood | null {
  const parsed = known.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** The part of an account that a later one is compared with. */
export function lastKnownGood(report: FitReport): LastKnownGood {
  return {
    commit: report.base.commit,
    tools: report.toolchain.map(({ name, version }) => [name, version]),
    dependencies: report.dependencies.map(({ root, manager, key }) => [
      `${manager} of ${root || "the root"}`,
      key ?? "",
    ]),
    runs: report.baseline.map((run) => [
      run.cwd === "" ? run.command : `${run.command} in ${run.cwd}`,
      `exit ${run.exit ?? "none"}, ${run.passed} passed, ${run.failed} failed, ${run.other} other`,
    ]),
    grade: report.grade?.best ?? "none",
  };
}

/** Everything that is not as it was when the repository was last found fit. What could not be measured now is `not measured`. */
export function findDrift(was: LastKnownGood, now: LastKnownGood): readonly Drift[] {
  return [
    ...compareValue("base commit", was.commit, now.commit),
    ...comparePairs("version of", was.tools, now.tools),
    ...comparePairs("dependencies by", was.dependencies, now.dependencies),
    ...comparePairs("base:", was.runs, now.runs),
    ...compareValue("grade", was.grade, now.grade),
  ];
}

function compareValue(what: string, was: string, now: string): readonly Drift[] {
  return was === now ? [] : [{ what, was, now }];
}

type Pairs = readonly (readonly [string, string])[];

function comparePairs(kind: string, was: Pairs, now: Pairs): readonly Drift[] {
  const [before, after] = [new Map(was), new Map(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    compareValue(`${kind} ${name}`, before.get(name) ?? "absent", after.get(name) ?? "not measured"),
  );
}
