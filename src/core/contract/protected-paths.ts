import { manifestSectionsChanged } from "./manifest-sections.ts";
import { compileGlobs, matchesAny } from "./match-globs.ts";
import { lockfileNames, manifestNames } from "./trust-roots.ts";

/** One row of what an agent's change may not touch unless the contract opens it. Globs are in lower case; case does not count. */
export interface ProtectedRow {
  readonly glob: string;
  readonly reason: string;
}

const rows = (reason: string, globs: readonly string[]): readonly ProtectedRow[] =>
  globs.map((glob) => ({ glob, reason }));
const anywhere = (names: readonly string[]): readonly string[] => names.map((name) => `**/${name}`);

/** The data of "protected paths", first match wins. `package.json` is not here: its sections decide. */
export const protectedPaths: readonly ProtectedRow[] = [
  ...rows("decides what the forge runs", [
    ".github/**",
    ".gitlab-ci.yml",
    ".gitlab/**",
    ".circleci/**",
    ".buildkite/**",
    ".travis.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
    ".woodpecker/**",
    ".woodpecker.yml",
    ".forgejo/**",
    ".gitea/**",
  ]),
  ...rows("decides who reviews", anywhere(["codeowners"])),
  ...rows("changes how git reads files", anywhere([".gitattributes", ".gitmodules"])),
  ...rows("runs on a developer's machine", [
    "**/.husky/**",
    ...anywhere(["lefthook.*", ".lefthook.*", ".pre-commit-config.yaml"]),
  ]),
  ...rows("is the gate's own policy", [".trueup/**"]),
  ...rows("decides which packages are installed", anywhere(lockfileNames)),
  ...rows("is a manifest", anywhere(manifestNames)),
  ...rows(
    "configures the package manager",
    anywhere([".npmrc", ".yarnrc*", ".pnpmfile.*", ".pnp.*", ".yarn/**", "pnpm-workspace.yaml", "bunfig.toml"]),
  ),
  ...rows(
    "configures tests",
    anywhere(["conftest.py", "pytest.ini", "tox.ini", "jest.preset.*", "*.workspace.*", "karma.conf.*"]),
  ),
  ...rows("configures the compiler", anywhere(["tsconfig*", "jsconfig*"])),
  ...rows("configures monorepo tasks", anywhere(["nx.json", "turbo.json", "lerna.json", "rush.json"])),
  ...rows("steers agents", [
    "**/agents.md",
    "**/claude.md",
    "**/gemini.md",
    "**/.claude/**",
    "**/.codex/**",
    "**/.cursor/**",
    "**/.gemini/**",
    "**/.mcp.json",
    "**/.cursorrules",
  ]),
  ...rows(
    "configures a runner, bundler, compiler or linter",
    anywhere(["*.config.*", ".*rc", ".*rc.*", "biome.json*"]),
  ),
];

/** What is known of a changed path beside its name. */
export interface ProtectedContext {
  /** Text of the manifest on base and head; null when it does not exist there. Without both, a manifest counts as protected. */
  readonly baseManifest?: string | null;
  readonly headManifest?: string | null;
  readonly status?: "added" | "deleted" | "modified" | "type-changed";
  /** The contract's `allow_protected`. */
  readonly allow?: readonly string[];
}

const compiledRows = protectedPaths.map(({ glob, reason }) => ({ reason, matches: compileGlobs([glob]) }));

/** Why a changed path is protected, in words, or null when it is free or opened. */
export function protectedReason(path: string, context: ProtectedContext = {}): string | null {
  if (context.allow !== undefined && matchesAny(context.allow, path)) return null;
  const lower = path.toLowerCase();
  if (context.status === "added" && /^\.trueup\/overrides\/[0-9a-f]{64}\.json$/u.test(path)) return null;
  if (/(?:^|\/)package\.json$/u.test(lower)) return manifestReason(context);
  return compiledRows.find(({ matches }) => matches(lower))?.reason ?? null;
}

function manifestReason({ baseManifest, headManifest }: ProtectedContext): string | null {
  if (baseManifest === undefined || headManifest === undefined) return "is a manifest whose sections were not compared";
  const changed = manifestSectionsChanged(baseManifest, headManifest);
  return changed.length === 0 ? null : `changes ${changed.join(", ")} of the manifest`;
}
