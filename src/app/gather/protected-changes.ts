import { manifestSectionsChanged, protectedReason } from "../../core/contract/index.ts";
import type { ChangeFacts } from "../../core/facts/index.ts";
import type { Mirror } from "../../ports/index.ts";

/** The changed paths that are protected, with the reason; manifests count only when a guarded section changed. */
export async function protectedChanges(mirror: Mirror, change: ChangeFacts): Promise<ChangeFacts["protected_changes"]> {
  const found: { path: string; reason: string }[] = [];
  for (const { path, status } of change.entries) {
    const reason = isManifest(path) ? await manifestReason(mirror, change, path) : protectedReason(path, { status });
    if (reason !== null) found.push({ path, reason });
  }
  return found;
}

function isManifest(path: string): boolean {
  return path === "package.json" || path.endsWith("/package.json");
}

async function manifestReason(mirror: Mirror, change: ChangeFacts, path: string): Promise<string | null> {
  const text = async (tree: string): Promise<string | null> => {
    const bytes = await mirror.readFile(tree, path);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  };
  const sections = manifestSectionsChanged(await text(change.base_tree), await text(change.tree));
  return sections.length === 0 ? null : `changes ${sections.join(", ")} of the manifest`;
}
