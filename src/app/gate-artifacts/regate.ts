import { contractDigest, parseContractJson, type AcceptanceContract } from "../../core/contract/index.ts";
import { canonicalJson } from "../../core/digest.ts";
import type { Facts } from "../../core/facts/index.ts";
import type { Verdict } from "../../core/gate/verdict.ts";
import { TrueupError } from "../../errors.ts";
import { judge, type Judged } from "../gather/evaluate-change.ts";

/** Reads one artifact as text; null when it is not there. */
export type ReadArtifact = (name: string) => Promise<string | null>;

export interface RegateResult {
  readonly judged: Judged;
  /** Whether the stored verdict is, byte for byte, what the gate says now; null when none is stored. */
  readonly agrees: boolean | null;
}

/** Evaluates stored artifacts again: same facts, same contract, same bytes of verdict. */
export async function regate(read: ReadArtifact, options: { readonly strict: boolean }): Promise<RegateResult> {
  const facts = parseFacts(await required(read, "facts.json"));
  const contract = parseContract(await read("contract.json"), facts);
  const stored = await read("verdict.json");
  const policy = stored === null ? { minimum_grade: "C" as const, strict: false } : parseVerdict(stored).policy;
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
  if (text === null) throw new TrueupError("artifacts-invalid", { subject: name, detail: "it is missing" });
  return text;
}

function parseObject(text: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the one error for whatever is no object.
  }
  throw new TrueupError("artifacts-invalid", { subject: name, detail: "it is not a JSON object" });
}

function parseFacts(text: string): Facts {
  const facts = parseObject(text, "facts.json");
  if (facts["version"] !== 1)
    throw new TrueupError("artifacts-invalid", {
      subject: "facts.json",
      detail: `version ${String(facts["version"])} is not known here`,
    });
  return facts as unknown as Facts;
}

function parseVerdict(text: string): Verdict {
  const verdict = parseObject(text, "verdict.json");
  if (verdict["version"] !== 1 || typeof verdict["policy"] !== "object") {
    throw new TrueupError("artifacts-invalid", {
      subject: "verdict.json",
      detail: "it has no known version or no policy",
    });
  }
  return verdict as unknown as Verdict;
}

function parseContract(text: string | null, facts: Facts): AcceptanceContract | null {
  if (text === null && facts.contract_digest !== null)
    throw new TrueupError("artifacts-invalid", {
      subject: "contract.json",
      detail: "the facts name a contract, and it is missing",
    });
  if (text === null) return null;
  const parsed = parseContractJson(text);
  if (!parsed.ok)
    throw new TrueupError("artifacts-invalid", {
      subject: "contract.json",
      detail: parsed.issues[0]?.reason ?? "not valid",
    });
  if (parsed.digest !== facts.contract_digest)
    throw new TrueupError("contract-changed", {
      detail: "contract.json is not the contract these facts were gathered under",
    });
  return parsed.contract;
}
