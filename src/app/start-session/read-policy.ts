import { parseStrictJson } from "../../core/contract/index.ts";
import type { Session } from "../../ports/index.ts";
import { TrueupError } from "../../errors.ts";

const file = ".trueup/config.json";

/**
 * What failed records count, from the text of the base's configuration. Only the base says it; a value that is not
 * understood is refused, never taken for the default.
 */
export function readFailedRecords(text: string): Session["policy"]["failed_records"] {
  const parsed = parseStrictJson(text, "config");
  if (!parsed.ok) throw invalid(parsed.issues[0]?.reason ?? "it is not JSON");
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("it is no object");
  const wanted = "failed_records" in value ? value.failed_records : "retries";
  if (wanted === "retries" || wanted === "any") return wanted;
  throw invalid('failed_records is neither "retries" nor "any"');
}

function invalid(detail: string): TrueupError {
  return new TrueupError("config-invalid", { subject: file, detail });
}
