import { matchesAny, type AcceptanceContract } from "../contract/index.ts";
import { doubtful, fatal, someOf, type BaseView, type ContractFlaw } from "./contract-flaw.ts";

const globKeys = [
  "changed_files_only",
  "changed_files_forbidden",
  "allow_protected",
  "uncounted",
  "soft_paths",
] as const;

/** Paths and globs that name nothing of the base, or a directory where files are meant. */
export function pathFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  const globs = globKeys.flatMap((key) =>
    (contract[key] ?? []).flatMap((item, index) => itemFlaws(item, `${key}[${index}]`, base)),
  );
  const required = (contract.changed_files_required ?? []).flatMap((item, index) =>
    itemFlaws(item, `changed_files_required[${index}]`, base),
  );
  return [...globs, ...required];
}

function itemFlaws(item: string, key: string, base: BaseView): readonly ContractFlaw[] {
  if (/[*?{]/u.test(item)) return globFlaws(item, key, base);
  if (base.paths.includes(item)) return [];
  if (base.paths.some((path) => path.startsWith(`${item}/`)))
    return [fatal("path-is-directory", key, `${item} is a directory and matches no file; write ${item}/**`)];
  const twins = findTwins(item, base.paths);
  if (twins.length > 0)
    return [doubtful("path-matches-nothing", key, `${item} is not on base; did you mean ${someOf(twins)}?`)];
  return hasDirectory(item, base.paths)
    ? []
    : [doubtful("path-matches-nothing", key, `${item} is not on base, and neither is its directory`)];
}

function globFlaws(glob: string, key: string, base: BaseView): readonly ContractFlaw[] {
  return base.paths.some((path) => matchesAny([glob], path))
    ? []
    : [doubtful("path-matches-nothing", key, `${glob} matches no file of base`)];
}

/** Files of the same name elsewhere, or of the same path in other case. */
function findTwins(item: string, paths: readonly string[]): readonly string[] {
  const name = item.slice(item.lastIndexOf("/") + 1);
  return paths.filter(
    (path) => path.toLowerCase() === item.toLowerCase() || (item.includes("/") ? false : path.endsWith(`/${name}`)),
  );
}

/** Whether a new file could stand there without a new directory. */
function hasDirectory(item: string, paths: readonly string[]): boolean {
  const directory = item.slice(0, item.lastIndexOf("/") + 1);
  return directory === "" || paths.some((path) => path.startsWith(directory));
}
