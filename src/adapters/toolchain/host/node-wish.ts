import semver from "semver";
import type { ToolchainWishes } from "../../../ports/index.ts";

/** First majors of the named long-term lines, as version files write them (`lts/jod`). */
const codenames: Readonly<Record<string, number>> = {
  argon: 4,
  boron: 6,
  carbon: 8,
  dubnium: 10,
  erbium: 12,
  fermium: 14,
  gallium: 16,
  hydrogen: 18,
  iron: 20,
  jod: 22,
  krypton: 24,
};

const anyVersion = new Set(["node", "stable", "latest", "current", "system", "default"]);

/** The range a `.nvmrc` or `.node-version` asks for; null when its words are not understood. An exact version allows later ones of its major. */
export function parseVersionFile(text: string): string | null {
  const line = (text.split("\n").find((each) => each.trim() !== "" && !each.trim().startsWith("#")) ?? "").trim();
  const wish = line.split("#")[0]?.trim().toLowerCase() ?? "";
  if (anyVersion.has(wish)) return "*";
  if (wish === "lts/*" || wish === "--lts")
    return Object.values(codenames)
      .map((major) => `${major}.x`)
      .join(" || ");
  if (wish.startsWith("lts/")) {
    const major = codenames[wish.slice(4)];
    return major === undefined ? null : `${major}.x`;
  }
  const plain = wish.replace(/^node[-@/]?/u, "").replace(/^v/u, "");
  const exact = semver.valid(plain);
  return exact === null ? semver.validRange(plain) : `^${exact}`;
}

/** Why a node version does not fit what the repository asks for; null when it fits. A wish that cannot be read is never satisfied. */
export function findMisfit(wishes: ToolchainWishes, version: string): string | null {
  if (wishes.node !== null) {
    const range = semver.validRange(wishes.node);
    if (range === null) return `engines.node is not a version range: ${wishes.node}`;
    if (!semver.satisfies(version, range, { includePrerelease: true })) return `engines.node wants ${wishes.node}`;
  }
  if (wishes.nodeVersionFile !== null && wishes.nodeVersionFile.trim() !== "") {
    const range = parseVersionFile(wishes.nodeVersionFile);
    const words = wishes.nodeVersionFile.trim();
    if (range === null) return `the version file is not understood: ${words}`;
    if (!semver.satisfies(version, range, { includePrerelease: true })) return `the version file wants ${words}`;
  }
  return findManagerMisfit(wishes.packageManager, version);
}

/** A pinned pnpm runs on the repository's node, and its newer majors on newer ones only. */
function findManagerMisfit(packageManager: string | null, version: string): string | null {
  const major = Number(/^pnpm@(\d+)\./u.exec(packageManager ?? "")?.[1] ?? 0);
  const range = major >= 11 ? ">=22.13" : major >= 9 ? ">=18.12" : "*";
  return semver.satisfies(version, range, { includePrerelease: true })
    ? null
    : `${packageManager ?? ""} wants ${range}`;
}

/** Whether a program of this package's `engines.node` runs on that node; no range means yes. */
export function runsOn(range: string | null, version: string): boolean {
  return range === null || semver.satisfies(version, range, { includePrerelease: true });
}
