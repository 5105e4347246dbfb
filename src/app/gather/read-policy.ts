import { noPolicy, parsePolicy, policyPath, type PolicyFile } from "../../core/policy/index.ts";
import { TrueupError } from "../../errors.ts";
import type { CommitRef, Mirror } from "../../ports/index.ts";

/** The policy of a base revision. What is not understood is refused with `config-invalid`, never taken for the default. */
export async function readPolicy(mirror: Mirror, base: CommitRef): Promise<PolicyFile> {
  const bytes = await mirror.readFile(base.tree, policyPath);
  if (bytes === null) return noPolicy;
  // Bytes that are no UTF-8 become characters that are refused outside of strings, and harmless inside.
  const parsed = parsePolicy(new TextDecoder("utf-8").decode(bytes));
  if (parsed.ok) return parsed.policy;
  const [first] = parsed.issues;
  throw new TrueupError("config-invalid", {
    subject: policyPath,
    detail: `${first?.key ?? ""} ${first?.reason ?? ""}`.trim(),
  });
}
