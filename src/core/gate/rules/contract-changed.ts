import { digestOf } from "../../digest.ts";
import { block, type Rule } from "../rule.ts";

/** The contract judged, the one pinned and the one the facts were gathered under must be the same. */
export const contractChanged: Rule = ({ facts, contract, declared = contract, contractDigest }) => {
  const judged = declared === null ? null : digestOf(declared);
  const findings = [
    ...(judged === contractDigest
      ? []
      : [block("contract-changed", "contract", `${judged ?? "none"}, pinned ${contractDigest ?? "none"}`)]),
    ...(facts.contract_digest === contractDigest
      ? []
      : [
          block(
            "contract-changed",
            "facts",
            `gathered under ${facts.contract_digest ?? "none"}, pinned ${contractDigest ?? "none"}`,
          ),
        ]),
  ];
  return { findings };
};
