import { matchesAny, type AcceptanceContract } from "../contract/index.ts";
import { doubtful, fatal, type BaseView, type ContractFlaw } from "./contract-flaw.ts";

/** Texts that base already holds or lacks as asked, or that no change in scope could bring. */
export function contentFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  const only = contract.changed_files_only;
  const flaws = (key: "file_contains" | "file_excludes"): readonly ContractFlaw[] =>
    (contract[key] ?? []).flatMap(({ path, text }, index) => {
      const held = base.texts.get(path)?.includes(text) ?? false;
      const where = `${key}[${index}]`;
      if (held === (key === "file_contains"))
        return [doubtful("already-met", where, `${path} ${held ? "holds" : "lacks"} the text on base already`)];
      return only === undefined || matchesAny(only, path)
        ? []
        : [
            fatal(
              "content-out-of-reach",
              where,
              `${path} would have to change, and changed_files_only does not let it`,
            ),
          ];
    });
  return [...flaws("file_contains"), ...flaws("file_excludes")];
}
