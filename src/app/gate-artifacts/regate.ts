import { contractDigest, parseContractJson, type AcceptanceContract } from "../../core/contract/index.ts";
import { canonicalJson } from "../../core/digest.ts";
import { z } from "zod";
import type { Facts } from "../../core/facts/index.ts";
import { parseFacts, type GatePolicy } from "../../core/gate/index.ts";
import { TrueupError } from "../../errors.ts";
import { judge, type Judged } from "../gather/evaluate-change.ts";
import { renderExecutorRecords } from "../gather/executor-records.ts";

/** Reads one artifact as text; null when it is not there. */
export type ReadArtifact = (name: string) => Promise<string | null>;

export interface RegateResult {
  readonly judged: Judged;
  /** Whether the stored verdict is, byte for byte, what the gate says now; null when none is stored, so that nothing pins the facts. */
  readonly agrees: boolean | null;
}

/** Evaluates stored artifacts again: same facts, same contract, same bytes of verdict. */
export async function regate(read: ReadArtifact, options: { readonly strict: boolean }): Promise<RegateResult> {
  const facts = readFacts(await required(read, "facts.json"));
  const contract = readContract(await read("contract.json"), facts);
  await checkRecords(read, facts);
  const stored = await read("verdict.json");
  const policy = stored === null ? { minimum_grade: "C" as const, strict: false } : readPolicy(stored, facts);
  const digest = contract === null ? null : contractDigest(contract);
  const judged = judge(facts, contract, {
    contractDigest: digest,
    policy: { ...policy, strict: policy.strict || options.strict },
  });
  const same =
    stored === null
      ? null
      : canonicalJson(judge(facts, contract, { contractDigest: digest, policy }).verdict) === stored;
  return { judged, agrees: same };
}

async function required(read: ReadArtifact, name: string): Promise<string> {
  const text = await read(name);
  if (text === null) throw new TrueupError("artifacts-damaged", { subject: name, detail: "it is missing" });
  return text;
}

function readFacts(text: string): Facts {
  const parsed = parseFacts(text);
  if (parsed.ok) return asStored(parsed.facts, text, "facts.json");
  throw new TrueupError("artifacts-damaged", { subject: "facts.json", detail: parsed.issues.join("; ") });
}

/** The executor's own records follow from the facts: a line more, less or other than that was not written by it. */
async function checkRecords(read: ReadArtifact, facts: Facts): Promise<void> {
  if (facts.subject.mode === "records") return;
  const text = await read("records.jsonl");
  // Bundles of versions before these records have none, and their runs do not say when they began.
  const expected = [...facts.runs, ...facts.commands].some((one) => one.started_at !== undefined);
  if (text === null && expected)
    throw new TrueupError("artifacts-damaged", { subject: "records.jsonl", detail: "it is missing" });
  if (text !== null && text !== renderExecutorRecords(facts))
    throw new TrueupError("artifacts-damaged", {
      subject: "records.jsonl",
      detail: "it is not the log of the runs that the facts tell of",
    });
}

/** Only the policy is taken from a stored verdict; all the rest is decided again and compared byte for byte. */
const storedVerdict = z.looseObject({
  version: z.literal(1),
  policy: z.strictObject({
    minimum_grade: z.enum(["A", "B", "C", "D"]),
    strict: z.boolean(),
    // Absent in verdicts stored before records were judged; the gate's default was in force then.
    failed_records: z.enum(["retries", "any"]).exactOptional(),
  }),
});

function readPolicy(text: string, { subject }: Facts): GatePolicy {
  try {
    const { policy } = storedVerdict.parse(JSON.parse(text));
    // Only a session's records are judged under less than C: any other stored D was put there to let something through.
    if (policy.minimum_grade !== "D" || subject.mode === "records") return policy;
    throw new TrueupError("artifacts-damaged", {
      subject: "verdict.json",
      detail: "no re-run is judged under grade D",
    });
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    throw new TrueupError("artifacts-damaged", {
      subject: "verdict.json",
      detail: "it is not a verdict of a known version with its policy",
      cause,
    });
  }
}

function readContract(text: string | null, facts: Facts): AcceptanceContract | null {
  if (text === null && facts.contract_digest !== null)
    throw new TrueupError("artifacts-damaged", {
      subject: "contract.json",
      detail: "the facts name a contract, and it is missing",
    });
  if (text === null) return null;
  const parsed = parseContractJson(text);
  if (!parsed.ok)
    throw new TrueupError("artifacts-damaged", {
      subject: "contract.json",
      detail: parsed.issues[0]?.reason ?? "not valid",
    });
  if (parsed.digest !== facts.contract_digest)
    throw new TrueupError("contract-changed", {
      detail: "contract.json is not the contract these facts were gathered under",
    });
  return asStored(parsed.contract, text, "contract.json");
}

/** The one form in which artifacts are stored: a repeated key would show a reader another value than the one judged. */
function asStored<T>(value: T, text: string, name: string): T {
  if (canonicalJson(value) === text) return value;
  throw new TrueupError("artifacts-damaged", { subject: name, detail: "its bytes are not as they were stored" });
}
