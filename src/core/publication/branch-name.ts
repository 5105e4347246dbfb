import type { Digest } from "../digest.ts";

const digestForm = /^sha256:[0-9a-f]{64}$/u;
/** What git takes as a ref on every file system: no `..`, no `.lock`, nothing hidden, no trailing dot. */
const segmentForm = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?![./]|$))*$/u;

/** The branch of a change: `prefix/` and the first 12 hex digits of its digest. The same change always has the same name. Throws RangeError. */
export function branchName(prefix: string, changeDigest: Digest): string {
  if (!digestForm.test(changeDigest)) throw new RangeError(`not a change digest: ${changeDigest}`);
  const segments = prefix.split("/");
  if (!segments.every((segment) => segmentForm.test(segment) && !segment.endsWith(".lock"))) {
    throw new RangeError(`not a branch prefix: ${JSON.stringify(prefix)}`);
  }
  return `${prefix}/${changeDigest.slice("sha256:".length, "sha256:".length + 12)}`;
}
