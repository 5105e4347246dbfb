export { type ChangeDigests, digestChange, type DigestInput } from "./change-digest.ts";
export { type ChangesExpected, decodeChanges, type RawChange } from "./decode-changes.ts";
export { type Decoded } from "./decoded.ts";
export { decodePatch, type Hunk, type PatchSection } from "./decode-patch.ts";
export { decodePush, type PushAnswer } from "./decode-push.ts";
export { decodeTree, type TreeLine } from "./decode-tree.ts";
export { entryHazards } from "./entry-hazards.ts";
export { type IgnoreFile, isIgnored, parseIgnoreFile } from "./ignore-rules.ts";
export {
  attributeNames,
  lineEndingRule,
  type LineEndingRule,
  looksLikeText,
  type PathAttributes,
  withoutCarriageReturns,
} from "./line-endings.ts";
export { linkHazards } from "./link-hazards.ts";
export { collisionHazards } from "./name-hazards.ts";
export { type BytePath, compareBytes, decodePath, encodePath, type ReadablePath } from "./path-bytes.ts";
export { revertHunk } from "./revert-hunk.ts";
export { isTrueBinary, maybeBinary } from "./true-binary.ts";
