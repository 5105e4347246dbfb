import { matchesAny, protectedReason, trustRootByName, type AcceptanceContract } from "../contract/index.ts";
import { doubtful, fatal, someOf, type BaseView, type ContractFlaw } from "./contract-flaw.ts";

/** A scope over fewer files is never called wide. */
const smallTree = 10;

/** What the scope lets through, and what it asks for that it shuts itself. */
export function scopeFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  return [
    ...widthFlaws(contract, base),
    ...requiredFlaws(contract),
    ...protectedFlaws(contract, base),
    ...policyFlaws(contract),
  ];
}

function widthFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  const scope = contract.changed_files_only;
  if (scope === undefined)
    return [doubtful("scope-missing", "changed_files_only", "any file that is not protected may change")];
  return scope.flatMap((glob, index) => {
    if (!/[*?{]/u.test(glob)) return [];
    const count = base.paths.filter((path) => matchesAny([glob], path)).length;
    const all = /^(?:\*+\/)*\*+$/u.test(glob);
    const wide = all || (base.paths.length > smallTree && count * 2 > base.paths.length);
    const detail = `${glob} lets ${count} of base's ${base.paths.length} files change`;
    return wide ? [doubtful("scope-too-wide", `changed_files_only[${index}]`, detail)] : [];
  });
}

function requiredFlaws(contract: AcceptanceContract): readonly ContractFlaw[] {
  const { changed_files_only: only, changed_files_forbidden: never = [] } = contract;
  return (contract.changed_files_required ?? []).flatMap((path, index) => {
    const key = `changed_files_required[${index}]`;
    return [
      ...(only === undefined || matchesAny(only, path)
        ? []
        : [fatal("required-outside-scope", key, `${path} must change, and changed_files_only does not let it`)]),
      ...(matchesAny(never, path)
        ? [fatal("required-forbidden", key, `${path} must change, and changed_files_forbidden forbids it`)]
        : []),
    ];
  });
}

function protectedFlaws(contract: AcceptanceContract, base: BaseView): readonly ContractFlaw[] {
  const allow = contract.allow_protected ?? [];
  const shut = (path: string): string | null => (matchesAny(allow, path) ? null : whyShut(path));
  const lists = ["changed_files_only", "changed_files_required"] as const;
  return lists.flatMap((list) =>
    (contract[list] ?? []).flatMap((item, index) => {
      const key = `${list}[${index}]`;
      return /[*?{]/u.test(item) ? globFlaws(item, { key, paths: base.paths, shut }) : pathFlaws(item, key, shut(item));
    }),
  );
}

/** Why a path stays shut for an agent, or null. Of a manifest only some sections are, so its name alone decides nothing. */
function whyShut(path: string): string | null {
  return protectedReason(path) ?? trustRootByName(path);
}

const isManifest = (path: string): boolean => /(?:^|\/)package\.json$/u.test(path);

function pathFlaws(path: string, key: string, reason: string | null): readonly ContractFlaw[] {
  if (reason === null) return [];
  if (isManifest(path)) {
    const detail = `${path}: scripts, overrides and the sections of tools stay shut; name it in allow_protected to open them`;
    return [doubtful("protected-in-scope", key, detail)];
  }
  const detail = `${path} ${reason}: a change of it blocks; name it in allow_protected to open it`;
  return [fatal("protected-not-allowed", key, detail)];
}

function globFlaws(
  glob: string,
  on: { readonly key: string; readonly paths: readonly string[]; readonly shut: (path: string) => string | null },
): readonly ContractFlaw[] {
  const matched = on.paths.filter((path) => matchesAny([glob], path));
  const shut = matched.filter((path) => !isManifest(path) && on.shut(path) !== null);
  if (shut.length === 0) return [];
  if (shut.length === matched.length)
    return [fatal("protected-not-allowed", on.key, `all that ${glob} matches is protected: ${someOf(shut)}`)];
  return [doubtful("protected-in-scope", on.key, `${glob} matches files that stay shut: ${someOf(shut)}`)];
}

function policyFlaws(contract: AcceptanceContract): readonly ContractFlaw[] {
  return (contract.allow_protected ?? []).flatMap((glob, index) =>
    matchesAny([glob], ".trueup/contract.json") || matchesAny([glob], ".trueup/config.json")
      ? [doubtful("opens-own-policy", `allow_protected[${index}]`, `${glob} opens the gate's own policy to the agent`)]
      : [],
  );
}
