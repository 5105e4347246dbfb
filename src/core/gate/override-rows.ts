import type { ChangeEntry } from "../facts/index.ts";
import { isOverridePath } from "../override/index.ts";

/** Whether an entry is an override row as it may come with any change: added, an ordinary file, named by a digest. */
export function isOverrideRow(entry: Pick<ChangeEntry, "path" | "status" | "new_mode">): boolean {
  return entry.status === "added" && entry.new_mode === "100644" && isOverridePath(entry.path);
}
