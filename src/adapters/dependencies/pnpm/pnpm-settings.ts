import { parseDocument, stringify } from "yaml";
import { TrueupError } from "../../../errors.ts";
import { isObject } from "../shared/json-file.ts";

/** Settings that change what a lockfile means, how packages are laid out, or which of them may build. */
const kept = new Set([
  "packages",
  "catalog",
  "catalogs",
  "catalogMode",
  "overrides",
  "packageExtensions",
  "patchedDependencies",
  "allowUnusedPatches",
  "peerDependencyRules",
  "ignoredOptionalDependencies",
  "supportedArchitectures",
  "allowBuilds",
  "onlyBuiltDependencies",
  "neverBuiltDependencies",
  "ignoredBuiltDependencies",
  "dangerouslyAllowAllBuilds",
  "ignoreScripts",
  "hoist",
  "hoistPattern",
  "publicHoistPattern",
  "shamefullyHoist",
  "hoistWorkspacePackages",
  "nodeLinker",
  "autoInstallPeers",
  "dedupePeerDependents",
  "dedupeDirectDeps",
  "dedupePeers",
  "strictPeerDependencies",
  "resolvePeersFromWorkspaceRoot",
  "linkWorkspacePackages",
  "preferWorkspacePackages",
  "injectWorkspacePackages",
  "disallowWorkspaceCycles",
  "excludeLinksFromLockfile",
  "sharedWorkspaceLockfile",
  "virtualStoreDirMaxLength",
  "peersSuffixMaxLength",
  "enableGlobalVirtualStore",
]);

/** What a repository's two places of settings say, cut down to what an installation may heed. */
export interface PnpmSettings {
  /** The `pnpm-workspace.yaml` that pnpm is given; null where there is none. */
  readonly workspace: string | null;
  /** The `.npmrc` that pnpm is given; may be empty. */
  readonly npmrc: string;
  /** Whether the repository switches install scripts off. */
  readonly ignoreScripts: boolean;
  /** Patch files that the workspace's settings name, relative to the root. */
  readonly patches: readonly string[];
}

/** Reads both without expanding anything: addresses, tokens, shells, hooks and store places are never taken from a repository. */
export function parsePnpmSettings(
  workspace: { readonly path: string; readonly bytes: Uint8Array } | null,
  npmrc: Uint8Array | null,
): PnpmSettings {
  const yaml = workspace === null ? null : readWorkspace(workspace);
  const lines = keptLines(npmrc === null ? "" : new TextDecoder().decode(npmrc));
  if (yaml !== null && yaml["configDependencies"] !== undefined)
    throw new TrueupError("unsupported-dependency", {
      subject: workspace?.path ?? "",
      detail: "configDependencies load code into the package manager",
    });
  const cut = yaml === null ? null : Object.fromEntries(Object.entries(yaml).filter(([key]) => kept.has(key)));
  return {
    workspace: cut === null ? null : stringify(cut),
    npmrc: lines.map((line) => `${line}\n`).join(""),
    patches: isObject(cut?.["patchedDependencies"]) ? Object.values(cut["patchedDependencies"]).map(String) : [],
    ignoreScripts: cut?.["ignoreScripts"] === true || lines.includes("ignore-scripts=true"),
  };
}

function readWorkspace({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }) {
  const document = parseDocument(new TextDecoder().decode(bytes));
  const value: unknown = document.errors.length > 0 ? null : (document.toJS({ maxAliasCount: 100 }) ?? {});
  if (isObject(value)) return value;
  throw new TrueupError("manifest-invalid", {
    subject: path,
    detail: document.errors[0]?.message.split("\n")[0] ?? "it is not a map",
  });
}

/** `key=value` lines whose key is kept and whose value names no variable. */
function keptLines(text: string): readonly string[] {
  return text.split(/\r?\n/u).flatMap((line) => {
    const [, key, list, value] = /^\s*([a-z-]+)(\[\])?\s*=\s*(.*?)\s*$/u.exec(line) ?? [];
    if (key === undefined || value === undefined || value.includes("${")) return [];
    const camel = key.replace(/-([a-z])/gu, (_all, letter: string) => letter.toUpperCase());
    return kept.has(camel) ? [`${key}${list ?? ""}=${value.replace(/^(["'])(.*)\1$/u, "$2")}`] : [];
  });
}
