import type { Finding } from "../../core/gate/index.ts";
import { isOverridable } from "../../core/override/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Judged } from "../gather/evaluate-change.ts";

/** The one finding that a person means: it decides, can be overridden, and is named without doubt. Throws what it is not. */
export function findFinding(judged: Judged, code: string, subject: string | null): Finding {
  if (!isOverridable(code))
    throw new TrueupError("override-refused", { subject: code, detail: "no override opens this finding" });
  const deciding = judged.verdict.findings.filter(
    (one) => one.code === code && (one.severity === "block" || one.severity === "undetermined"),
  );
  const subjects = [...new Set(deciding.map((one) => one.subject))];
  const [found] = subject === null ? deciding : deciding.filter((one) => one.subject === subject);
  if (found === undefined)
    throw new TrueupError("override-finding-missing", { subject: [code, subject ?? ""].join(" ").trim() });
  if (subject === null && subjects.length > 1)
    throw new TrueupError("override-finding-missing", {
      subject: code,
      detail: `it was found ${subjects.length} times: name one of ${subjects.slice(0, 5).join(", ")}`,
    });
  return found;
}
