import { contractDigest, type AcceptanceContract } from "../../core/contract/index.ts";
import type { Digest } from "../../core/digest.ts";
import { deriveTests, type ChosenContract } from "../../core/fit/index.ts";
import { TrueupError } from "../../errors.ts";
import type { TreeReader } from "../../ports/index.ts";
import { readText } from "../gather/tree-reader.ts";

/** A contract that was written by someone. */
export interface GivenContract {
  readonly contract: AcceptanceContract;
  readonly digest: Digest;
}

const standingFile = ".trueup/contract.json";

/** The caller's contract, else base's standing one, else one that is derived. Throws `contract-*` and `runner-unknown`. */
export async function chooseContract(
  reader: TreeReader,
  request: {
    readonly contract: GivenContract | null;
    readonly parseStandingContract: (text: string) => GivenContract;
  },
): Promise<ChosenContract> {
  if (request.contract !== null) return { source: "given", ...request.contract };
  const standing = await readText(reader, standingFile);
  if (standing !== null) return { source: "standing", ...request.parseStandingContract(standing) };
  const derived = deriveTests(await readShownTests(reader));
  if (!derived.ok) {
    const { code, subject, detail } = derived;
    const hint = "Name the tests with `--contract FILE` (in a monorepo with `cwd`).";
    throw new TrueupError(code, { subject, detail, ...(code === "contract-missing" ? { hint } : {}) });
  }
  const contract: AcceptanceContract = { tests: [derived.entry] };
  return { source: "derived", contract, digest: contractDigest(contract) };
}

/** What a tree shows of its tests. Throws `manifest-invalid`. */
export async function readShownTests(reader: TreeReader): Promise<Parameters<typeof deriveTests>[0]> {
  const paths = new Set(reader.entries.map((entry) => entry.path));
  const text = await readText(reader, "package.json");
  if (text === null) return { scripts: null, dependencies: new Set(), paths };
  const manifest = parseManifest(text);
  const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  const dependencies = new Set(kinds.flatMap((kind) => Object.keys(record(manifest[kind]))));
  const scripts = Object.entries(record(manifest["scripts"])).flatMap(([name, script]) =>
    typeof script === "string" ? [[name, script] as const] : [],
  );
  return { scripts: Object.fromEntries(scripts), dependencies, paths };
}

function parseManifest(text: string): Readonly<Record<string, unknown>> {
  try {
    return record(JSON.parse(text));
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new TrueupError("manifest-invalid", { subject: "package.json", detail, cause });
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
