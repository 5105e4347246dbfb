import { compileGlobs } from "./match-globs.ts";

/** One family of files that steer how tests run, by name, at any depth. Globs are in lower case; case does not count. */
export interface TrustRootRow {
  readonly what: string;
  readonly globs: readonly string[];
}

export const lockfileNames: readonly string[] = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "pipfile.lock",
  "go.sum",
  "go.work.sum",
  "cargo.lock",
  "gemfile.lock",
  "composer.lock",
];

/** Manifests that are data we cannot take apart; `package.json` is judged by its sections where it is protected. */
export const manifestNames: readonly string[] = [
  "package.json5",
  "package.yaml",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "pipfile",
  "go.mod",
  "go.work",
  "cargo.toml",
  "gemfile",
  "composer.json",
];

const anywhere = (names: readonly string[]): readonly string[] => names.map((name) => `**/${name}`);

/** The data of "trust roots by name", one row a family. */
export const trustRootTable: readonly TrustRootRow[] = [
  {
    what: "installed packages",
    globs: anywhere([
      "node_modules",
      "node_modules/**",
      "*.egg-info",
      "*.egg-info/**",
      "*.dist-info",
      "*.dist-info/**",
    ]),
  },
  { what: "lockfile", globs: anywhere(lockfileNames) },
  { what: "manifest", globs: anywhere(["package.json", ...manifestNames]) },
  { what: "environment file", globs: ["**/.env*", "**/*.env"] },
  { what: "compiler configuration", globs: anywhere(["tsconfig*", "jsconfig*"]) },
  {
    what: "workspace file",
    globs: anywhere([
      "pnpm-workspace.yaml",
      "lerna.json",
      "nx.json",
      "turbo.json",
      "rush.json",
      "*.workspace.*",
      "*.projects.*",
    ]),
  },
  {
    what: "package manager configuration",
    globs: anywhere([
      ".pnpmfile.*",
      ".pnp.*",
      ".yarn/**",
      "bunfig.toml",
      ".tool-versions",
      ".node-version",
      ".python-version",
      "mise.toml",
      ".mise.toml",
    ]),
  },
  {
    what: "test configuration",
    globs: anywhere([
      "conftest.py",
      "pytest.ini",
      ".pytest.ini",
      "pytest.toml",
      ".pytest.toml",
      "tox.ini",
      "noxfile.py",
      "sitecustomize.py",
      "usercustomize.py",
      "*.pth",
      "jest.preset.*",
      ".mocharc*",
      ".rspec",
      "phpunit.xml*",
      "karma.conf.*",
    ]),
  },
  { what: "ignore or attribute file", globs: anywhere([".*ignore", ".gitattributes"]) },
  { what: "configuration", globs: anywhere(["*.config.*", "browserslist", "biome.json*"]) },
  { what: "rc file", globs: anywhere([".*rc*"]) },
];

const compiledRows = trustRootTable.map(({ what, globs }) => ({ what, matches: compileGlobs(globs) }));

/** What family of trust roots the path belongs to by its name, or null. Case is ignored: a false hit costs less than a miss. */
export function trustRootByName(path: string): string | null {
  const lower = path.toLowerCase();
  return compiledRows.find(({ matches }) => matches(lower))?.what ?? null;
}
