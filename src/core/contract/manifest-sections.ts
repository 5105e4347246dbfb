import { canonicalJson } from "../digest.ts";
import { parseStrictJson } from "./strict-json.ts";

/** Sections of `package.json` that decide what runs, what is installed or how tools behave. */
export const protectedSections: readonly string[] = [
  "scripts",
  "overrides",
  "resolutions",
  "pnpm",
  "workspaces",
  "packageManager",
  "engines",
  "devEngines",
  "volta",
  "allowScripts",
  "trustedDependencies",
  "dependenciesMeta",
  "bundleDependencies",
  "bundledDependencies",
  "catalog",
  "catalogs",
  "config",
  "vitest",
  "jest",
  "mocha",
  "ava",
  "tap",
  "nyc",
  "c8",
  "karma",
  "playwright",
  "wireit",
  "nx",
  "turbo",
  "lerna",
  "babel",
  "browserslist",
  "postcss",
  "tsup",
  "swc",
  "esbuild",
  "parcel",
  "unbuild",
  "ts-node",
  "tsd",
  "eslintConfig",
  "eslintIgnore",
  "prettier",
  "stylelint",
  "xo",
  "standard",
  "commitlint",
  "lint-staged",
  "husky",
  "simple-git-hooks",
  "pre-commit",
  "gitHooks",
  "lefthook",
];

/** Sections that describe the package and steer no tool; every other name is unknown and counts as protected. */
export const freeSections: readonly string[] = [
  "$schema",
  "name",
  "version",
  "description",
  "keywords",
  "homepage",
  "bugs",
  "license",
  "licenses",
  "author",
  "contributors",
  "maintainers",
  "funding",
  "files",
  "main",
  "module",
  "browser",
  "unpkg",
  "jsdelivr",
  "jsnext:main",
  "esnext",
  "type",
  "types",
  "typings",
  "typesVersions",
  "exports",
  "imports",
  "bin",
  "man",
  "directories",
  "repository",
  "sideEffects",
  "private",
  "publishConfig",
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "optionalDependencies",
  "os",
  "cpu",
  "libc",
  "displayName",
  "publisher",
  "icon",
  "categories",
  "contributes",
  "activationEvents",
  "customElements",
  "metadata",
];

/**
 * Names the protected sections of a `package.json` that differ between base and head; null means the file is not there.
 * A text that is no JSON object counts as all of them. Order of keys and white space do not count.
 */
export function manifestSectionsChanged(baseText: string | null, headText: string | null): readonly string[] {
  if (baseText === headText) return [];
  const base = readSections(baseText);
  const head = readSections(headText);
  if (base === null || head === null) return protectedSections;
  const names = new Set([...base.keys(), ...head.keys()]);
  return [...names].filter((name) => !freeSections.includes(name) && base.get(name) !== head.get(name)).toSorted();
}

/** Canonical text of each section, or null when the manifest cannot be read. */
function readSections(text: string | null): ReadonlyMap<string, string> | null {
  if (text === null) return new Map();
  const json = parseStrictJson(text.replace(/^\uFEFF/u, ""), "manifest");
  if (!json.ok || typeof json.value !== "object" || json.value === null || Array.isArray(json.value)) return null;
  return new Map(Object.entries(json.value).map(([name, value]) => [name, canonicalJson(value)]));
}
