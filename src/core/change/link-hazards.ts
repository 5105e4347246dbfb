import type { ChangeHazard } from "./hazard.ts";
import { type BytePath, decodePath } from "./path-bytes.ts";
import { isGitLikeName } from "./name-hazards.ts";

const mostHops = 40;

/** Where a symlink leads inside the tree, as the kernel would walk it; `out` says why it leads nowhere we allow. */
type LinkEnd =
  | { readonly out: null; readonly via: ReadonlySet<BytePath> }
  | { readonly out: string; readonly via: ReadonlySet<BytePath> };

/**
 * Symlinks that leave the tree, or enter `.git`, and are changed themselves or pass through a changed one.
 * `links` holds every symlink of the new tree with its target bytes.
 */
export function linkHazards(
  links: ReadonlyMap<BytePath, BytePath>,
  changed: ReadonlySet<BytePath>,
): readonly ChangeHazard[] {
  const hazards: ChangeHazard[] = [];
  for (const path of links.keys()) {
    const end = followLink(path, links);
    const concerns = changed.has(path) || [...end.via].some((link) => changed.has(link));
    if (end.out !== null && concerns)
      hazards.push({ kind: "symlink-outside", path: decodePath(path).path, detail: end.out });
  }
  return hazards;
}

/** Walks a symlink's target part by part; `..` climbs from where the link before it led. */
function followLink(path: BytePath, links: ReadonlyMap<BytePath, BytePath>): LinkEnd {
  const via = new Set<BytePath>();
  let place = path.split("/").slice(0, -1);
  let left = [path.slice(path.lastIndexOf("/") + 1)];
  for (let hops = 0; left.length > 0;) {
    const part = left.shift() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (place.length === 0) return { out: "it leads out of the tree", via };
      place = place.slice(0, -1);
      continue;
    }
    const here = [...place, part].join("/");
    const target = links.get(here);
    if (target === undefined) {
      if (isGitLikeName(decodePath(part).path)) return { out: "it leads into .git", via };
      place = [...place, part];
      continue;
    }
    via.add(here);
    hops += 1;
    if (hops > mostHops) return { out: "it leads in a circle", via };
    if (target.startsWith("/")) return { out: "its target is absolute", via };
    left = [...target.split("/"), ...left];
  }
  return { out: null, via };
}
