import { decideOverrides, overrideDirectory } from "../../override/index.ts";
import { isOverrideRow } from "../override-rows.ts";
import { block, finding, type Rule } from "../rule.ts";

/** A row that does not hold is an attempt to let something through: it blocks, whatever else the change does. */
export const overrides: Rule = ({ facts, contractDigest }) => {
  const { refused } = decideOverrides(facts.overrides, contractDigest);
  const told = new Set((facts.overrides?.rows ?? []).map(({ path }) => path));
  const untold = facts.change.entries.filter((one) => one.path.startsWith(overrideDirectory) && !told.has(one.path));
  return {
    findings: [
      ...refused.map(({ code, path, detail }) =>
        code === "override-not-checked"
          ? finding("undetermined", code, { subject: path, detail })
          : block(code, path, detail),
      ),
      ...untold.map((one) =>
        isOverrideRow(one)
          ? finding("undetermined", "override-not-checked", {
              subject: one.path,
              detail: "the facts do not tell of it",
            })
          : block("override-not-added", one.path, `it is ${one.status}; rows are only ever added, as files`),
      ),
    ],
  };
};
