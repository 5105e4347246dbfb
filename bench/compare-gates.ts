/**
 * A literal gate beside Trueup, over the same changes of the corpus: what each let through, refused, and handed over.
 * `node bench/compare-gates.ts [--every N] [--case ID]... [--json]`. Held-out tests are Trueup's alone, since a gate that works
 * in the agent's checkout has no place for them.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { isRunCase } from "../tools/corpus/case-schema.ts";
import { loadCorpus } from "../tools/corpus/load-corpus.ts";
import { planCase, planTwin, sideKey, type Side } from "../tools/corpus/plan-side.ts";
import { gateColumns, type GateColumns, type JudgedChange } from "./gates/gate-columns.ts";
import { runLiteralArm } from "./gates/literal-arm.ts";
import { runTrueupArm } from "./gates/trueup-arm.ts";

const { values } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    case: { type: "string", multiple: true },
    json: { type: "boolean" },
  },
});
/** The literal gate hands over the promise, the files with their counts, and its verdict. */
const literalHandoff = 3;
const corpus = path.resolve(import.meta.dirname, "../corpus");
const { cases, errors } = loadCorpus(corpus);
if (errors.length > 0) throw new Error(errors.join("\n"));
const home = fs.mkdtempSync(path.join(tmpdir(), "trueup-gates-"));
const installed = new Map<string, string>();

/** The packages of a lockfile, installed once; each checkout gets a copy. */
function packagesOf({ base }: Side): string | null {
  const [manifest, lock] = [base["package.json"], base["package-lock.json"]];
  if (manifest === undefined || lock === undefined) return null;
  const place = installed.get(lock) ?? path.join(home, `packages-${installed.size}`);
  if (!installed.has(lock)) {
    fs.mkdirSync(place);
    fs.writeFileSync(path.join(place, "package.json"), manifest);
    fs.writeFileSync(path.join(place, "package-lock.json"), lock);
    const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", words, { cwd: place, stdio: "ignore" });
    installed.set(lock, place);
  }
  return path.join(place, "node_modules");
}

interface Pair {
  readonly literal: JudgedChange;
  readonly trueup: JudgedChange;
}

const judged = new Map<string, Pair>();

async function judge(side: Side, honest: boolean): Promise<Pair> {
  const known = judged.get(sideKey(side));
  if (known !== undefined) return known;
  const literal = await runLiteralArm(side, packagesOf(side));
  if (literal.problems.length > 0) process.stderr.write(`  literal gate: ${literal.problems.join("; ")}\n`);
  const trueup = await runTrueupArm(side);
  const { testsRan, filesOutside, handedOver } = trueup;
  const seen = { honest, testsRan, filesOutside, works: literal.works };
  const pair = {
    literal: { ...seen, accepted: literal.accepted, handedOver: literalHandoff },
    trueup: { ...seen, accepted: trueup.accepted, handedOver },
  };
  judged.set(sideKey(side), pair);
  return pair;
}

/** Where honest work does something else than join words, nobody can ask its source for that. */
const unasked = ({ literal, trueup }: Pair): Pair => ({
  literal: { ...literal, works: null },
  trueup: { ...trueup, works: null },
});

function say(id: string, { literal, trueup }: Pair): void {
  const word = (one: JudgedChange): string => (one.accepted ? "accepted" : "refused");
  const what = (yes: boolean | null, name: string): string => (yes === null ? "" : `, ${yes ? "" : "not "}${name}`);
  const was = `${what(literal.testsRan, "tested")}${what(literal.works, "working")}`;
  process.stderr.write(`${id}: literal ${word(literal)}, Trueup ${word(trueup)}${was}\n`);
}

function renderTable(columns: Readonly<Record<string, GateColumns>>): string {
  const cell = (value: number | readonly number[]): string => [value].flat().join(" of ");
  const names = Object.keys(columns);
  const keys = Object.keys(Object.values(columns)[0] ?? {}) as (keyof GateColumns)[];
  const lines = keys.map((key) => [key, ...Object.values(columns).map((one) => cell(one[key]))]);
  return [["", ...names], ["---", ...names.map(() => "---")], ...lines]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

try {
  const pairs: Pair[] = [];
  const wanted = cases.filter(({ id, data }) => isRunCase(data) && (values.case?.includes(id) ?? true));
  for (const one of wanted.filter((_, index) => index % Number(values.every) === 0)) {
    const { id, data } = one;
    if (!isRunCase(data)) continue;
    const twin = planTwin(corpus, { ...one, data });
    const beside = twin === null ? null : await judge(twin, true);
    const own = await judge(planCase(corpus, { ...one, data }), data.kind === "honest");
    const comparable = beside?.literal.works === true;
    const kept = comparable ? own : unasked(own);
    say(id, kept);
    pairs.push(kept);
    if (beside !== null) pairs.push(comparable ? beside : unasked(beside));
  }
  const columns = {
    "literal gate": gateColumns(pairs.map((one) => one.literal)),
    Trueup: gateColumns(pairs.map((one) => one.trueup)),
  };
  process.stdout.write(`${values.json === true ? JSON.stringify(columns) : renderTable(columns)}\n`);
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}
