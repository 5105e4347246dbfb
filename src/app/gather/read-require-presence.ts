import { parseStrictJson } from "../../core/contract/index.ts";
import { TrueupError } from "../../errors.ts";
import type { CommitRef, Mirror } from "../../ports/index.ts";

const file = ".trueup/config.json";

/** Whether base takes only overrides signed with a touch. A value that is not understood is refused, never taken for no. */
export async function readRequirePresence(mirror: Mirror, base: CommitRef): Promise<boolean> {
  const bytes = await mirror.readFile(base.tree, file);
  if (bytes === null) return false;
  const parsed = parseStrictJson(new TextDecoder().decode(bytes), "config");
  if (!parsed.ok) throw invalid(parsed.issues[0]?.reason ?? "it is not JSON");
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("it is no object");
  const wanted = "require_presence" in value ? value.require_presence : false;
  if (typeof wanted !== "boolean") throw invalid("require_presence is neither true nor false");
  return wanted;
}

function invalid(detail: string): TrueupError {
  return new TrueupError("config-invalid", { subject: file, detail });
}
