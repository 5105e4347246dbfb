/** What one `push --porcelain` of one ref said. `exists`: the remote has that name already, whatever it points at. */
export type PushAnswer =
  | { readonly kind: "created" }
  | { readonly kind: "exists" }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "unknown" };

const taken = /stale info|fetch first|non-fast-forward|already exists|reference already exists|would clobber/iu;

/** Decodes the porcelain lines about `ref`. No line about it means that nothing is known: a broken transport. */
export function decodePush(stdout: string, ref: string): PushAnswer {
  for (const line of stdout.split("\n")) {
    const [flag, refs = "", summary = ""] = line.split("\t");
    if (!refs.endsWith(`:${ref}`)) continue;
    if (flag === "*") return { kind: "created" };
    if (flag === "=") return { kind: "exists" };
    if (flag !== "!") return { kind: "unknown" };
    if (taken.test(summary)) return { kind: "exists" };
    return summary.startsWith("[remote failure]") ? { kind: "unknown" } : { kind: "rejected", reason: summary };
  }
  return { kind: "unknown" };
}
