import fs from "node:fs";
import path from "node:path";
import { parseAgentScript } from "../../src/adapters/agent/scripted/agent-script.ts";
import { parseContractValue } from "../../src/core/contract/index.ts";
import { caseFlaws, caseSchema, isRunCase, type NotRunCase, type RunCase } from "./case-schema.ts";

/** One folder of the corpus. */
export interface CorpusCase<Data extends RunCase | NotRunCase = RunCase | NotRunCase> {
  readonly id: string;
  readonly folder: string;
  readonly data: Data;
}

export interface Corpus {
  readonly cases: readonly CorpusCase[];
  /** `<case>: <what is wrong>`; a corpus with any is not run. */
  readonly errors: readonly string[];
}

/** Reads every case below `root`, by name. Folders that begin with an underscore are shared by cases. */
export function loadCorpus(root: string): Corpus {
  const names = fs.readdirSync(root, { withFileTypes: true }).filter((one) => one.isDirectory());
  const ids = names.map((one) => one.name).filter((name) => !name.startsWith("_"));
  const read = ids.toSorted().map((id) => readCase(root, id));
  const cases = read.flatMap((one) => (typeof one === "string" ? [] : [one]));
  const errors = read.flatMap((one) => (typeof one === "string" ? [one] : foldersMissing(root, one)));
  return { cases, errors: cases.length + errors.length === 0 ? [`${root}: no case`] : errors };
}

function readCase(root: string, id: string): CorpusCase | string {
  const folder = path.join(root, id);
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(path.join(folder, "case.json"), "utf8"));
  } catch (error) {
    return `${id}: case.json cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const parsed = caseSchema.safeParse(value);
  if (!parsed.success) return `${id}: ${parsed.error.issues.map(describeIssue).join("; ")}`;
  const flaws = [...caseFlaws(parsed.data), ...(isRunCase(parsed.data) ? sideFlaws(parsed.data) : [])];
  return flaws.length === 0 ? { id, folder, data: parsed.data } : `${id}: ${flaws.join("; ")}`;
}

function describeIssue(issue: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return `${issue.path.map(String).join(".")} ${issue.message}`.trim();
}

/** Steps and contracts are read by the product's own parsers, so that a case cannot be red for a slip of the pen. */
function sideFlaws({ contract, steps, twin }: RunCase): readonly string[] {
  const contracts = [contract, twin?.contract].filter((one) => one !== undefined);
  const scripts = [steps, twin?.steps].filter((one) => one !== undefined);
  return [
    ...contracts.flatMap((one) => {
      const parsed = parseContractValue(one);
      return parsed.ok ? [] : parsed.issues.map(({ key, reason }) => `contract ${key}: ${reason}`);
    }),
    ...scripts.flatMap((one) => {
      const parsed = parseAgentScript(JSON.stringify({ version: 1, steps: one }));
      return parsed.ok ? [] : [`steps ${parsed.reason}`];
    }),
  ];
}

function foldersMissing(root: string, { id, folder, data }: CorpusCase): readonly string[] {
  if (!isRunCase(data)) return [];
  const twin = data.twin === undefined ? [] : [twinFolder(root, folder, data.twin)];
  const heldOut = (data.held_out ?? []).map((one) => path.join(folder, "held-out", one.file));
  const changes = [data.steps, data.delete].some((one) => one !== undefined) ? [] : [path.join(folder, "head")];
  const twinHolds = data.twin?.steps === undefined ? twin : [];
  return [path.join(root, "_bases", data.base), ...changes, ...twinHolds, ...heldOut]
    .filter((place) => !fs.existsSync(place))
    .map((place) => `${id}: ${path.relative(root, place)} is not there`);
}

/** Where a twin's files lie. */
export function twinFolder(root: string, folder: string, twin: NonNullable<RunCase["twin"]>): string {
  return twin.folder === "honest" ? path.join(folder, "honest") : path.join(root, twin.folder);
}
