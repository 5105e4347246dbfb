import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { BaseView } from "../../core/contract-advice/index.ts";
import type { TreeReader } from "../../ports/index.ts";
import { readText } from "../gather/tree-reader.ts";
import { readShownTests } from "../preflight/choose-contract.ts";

/** What of a base's tree a contract is held against. Throws `manifest-invalid`. */
export async function readBaseView(reader: TreeReader, contract: AcceptanceContract): Promise<BaseView> {
  const texts = new Map<string, string>();
  for (const { path } of [...(contract.file_contains ?? []), ...(contract.file_excludes ?? [])]) {
    const text = await readText(reader, path);
    if (text !== null) texts.set(path, text);
  }
  const { scripts } = await readShownTests(reader);
  return { paths: reader.entries.map((entry) => entry.path), scripts, texts };
}
