import { parseStrictJson } from "../../core/contract/index.ts";
import { TrueupError } from "../../errors.ts";

const file = ".trueup/config.json";

/** `require_contract` of the base's configuration, false when it does not say. A value that is not understood is refused. */
export function parseRequireContract(text: string): boolean {
  const parsed = parseStrictJson(text, "config");
  if (!parsed.ok) throw invalid(parsed.issues[0]?.reason ?? "it is not JSON");
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("it is no object");
  const wanted = "require_contract" in value ? value.require_contract : false;
  if (typeof wanted === "boolean") return wanted;
  throw invalid("require_contract is neither true nor false");
}

function invalid(detail: string): TrueupError {
  return new TrueupError("config-invalid", { subject: file, detail });
}
