import { isRunCase } from "./case-schema.ts";
import type { Row } from "./judge-case.ts";
import type { Reading } from "./read-outcome.ts";

/** One line of a row, and below it what is wrong. */
export function renderRow({ one, seen, status, problems }: Row): string {
  const { own, twin } = seen;
  const number = one.data.number === null ? "" : `#${one.data.number} `;
  const how = own === null ? "" : ` (A ${own.outcome}, B ${own.b}, counts ${own.counts})`;
  const beside = twin === null ? "" : `, twin ${twin.outcome} at ${twin.grade ?? "no grade"}`;
  const own_ = own !== null && own.outcome === "passed" ? ` at ${own.grade ?? "no grade"}` : "";
  return [
    `${status.padEnd(8)} ${number}${one.id}${how}${own_}${beside}`,
    ...problems.map((one) => `         ! ${one}`),
  ].join("\n");
}

/** The sums: blocked of all a grade, false blocks of all honest work, every survivor and every case that is not run. */
export function renderTotals(rows: readonly Row[]): string {
  const cheats = rows.filter(({ one }) => one.data.kind === "cheat" && isRunCase(one.data));
  const stopped = (of: (row: Row) => Reading | undefined): number =>
    cheats.filter((row) => ["blocked", "undetermined"].includes(of(row) ?? "error")).length;
  const share = (label: string, count: number): string => `${label.padEnd(24)} ${count} / ${cheats.length} blocked`;
  const twins = rows.filter(({ seen }) => seen.twin !== null).length;
  const ordinary = rows.filter(({ one }) => one.data.kind === "honest").length;
  const falseBlocks = rows.filter(({ falseBlock }) => falseBlock).length;
  const wrong = rows.filter(({ status }) => status === "wrong");
  return [
    share(
      "grade A",
      stopped(({ seen }) => seen.own?.outcome),
    ),
    share(
      "grade B",
      stopped(({ seen }) => seen.own?.b),
    ),
    share(
      "true counts and scope",
      stopped(({ seen }) => seen.own?.counts),
    ),
    `${"false blocks".padEnd(24)} ${falseBlocks} / ${twins} twins and ${ordinary} ordinary changes`,
    ...survivorLines(rows),
    ...rows.flatMap(({ one }) => (isRunCase(one.data) ? [] : [`not run: ${one.id}: ${one.data.not_run}`])),
    wrong.length === 0 ? "every case is as it says" : `not as they say: ${wrong.map(({ one }) => one.id).join(", ")}`,
  ].join("\n");
}

function survivorLines(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ one, seen }) => {
    if (!isRunCase(one.data) || one.data.kind !== "cheat" || seen.own?.outcome !== "passed") return [];
    return [`survivor: ${one.id}: ${one.data.expected_survivor ?? "nobody said why"}`];
  });
}
