/**
 * The gate over a session of many records against reading the same log and parsing it: medians of several rounds in one
 * run, and their ratio. `node bench/gate-records.ts [--records N] [--rounds N]`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createRecordLog } from "../src/adapters/record-log/files/record-log.ts";
import { digestOf } from "../src/core/digest.ts";
import { evaluate } from "../src/core/gate/index.ts";
import { sealRecord, encodeRecord } from "../src/core/record/index.ts";
import { makeContract } from "../test/fixtures/facts-builders.ts";
import { makeRecord, makeSessionFacts } from "../test/fixtures/record-builders.ts";

const { values } = parseArgs({
  options: { records: { type: "string", default: "100000" }, rounds: { type: "string", default: "3" } },
});
const count = Number(values.records);
const directory = mkdtempSync(path.join(os.tmpdir(), "trueup-bench-"));
const contract = makeContract({ tests: [{ command: "npx vitest run", keep_base: true }] });

/** Writes a chained log as the adapter leaves it, without waiting for the disk at each record. */
function writeLog(): void {
  let prev: ReturnType<typeof sealRecord>["digest"] | null = null;
  let bytes = 0;
  const lines: string[] = [];
  for (let order = 0; order < count; order++) {
    const { prev: _prev, digest: _digest, ...draft } = makeRecord(order);
    const record = sealRecord(draft, prev);
    prev = record.digest;
    const line = encodeRecord(record);
    bytes += line.length;
    lines.push(line);
  }
  writeFileSync(path.join(directory, "records.jsonl"), lines.join(""));
  writeFileSync(path.join(directory, "anchor"), JSON.stringify({ version: 1, count, digest: prev, bytes, rotated: 0 }));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function time(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function gate(): Promise<void> {
  const log = await createRecordLog({ directory }).readAll();
  const facts = makeSessionFacts(log.records, log);
  const input = {
    facts: { ...facts, contract_digest: digestOf(contract) },
    contract,
    contractDigest: digestOf(contract),
  };
  const verdict = evaluate({ ...input, policy: { minimum_grade: "D", strict: false } });
  if (verdict.outcome !== "passed")
    throw new Error(`the verdict is ${verdict.outcome}: ${JSON.stringify(verdict.findings.slice(0, 2))}`);
}

function readAndParse(): void {
  for (const name of readdirSync(directory).filter((one) => one.endsWith(".jsonl"))) {
    for (const line of readFileSync(path.join(directory, name), "utf8").split("\n")) if (line !== "") JSON.parse(line);
  }
}

writeLog();
const times: { gate: number[]; parse: number[] } = { gate: [], parse: [] };
for (let round = 0; round < Number(values.rounds); round++) {
  times.parse.push(await time(readAndParse));
  times.gate.push(await time(gate));
}
rmSync(directory, { recursive: true });
const [gateMs, parseMs] = [median(times.gate), median(times.parse)];
process.stdout.write(
  `${JSON.stringify({
    records: count,
    gate_ms: Math.round(gateMs),
    parse_ms: Math.round(parseMs),
    ratio: Number((gateMs / parseMs).toFixed(2)),
  })}\n`,
);
