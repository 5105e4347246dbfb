import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import { createDependenciesByLockfile } from "../../src/adapters/dependencies/by-lockfile/dependencies-by-lockfile.ts";
import { createCacheHolds } from "../../src/adapters/cache/files/cache-holds.ts";
import { createYarnDependencies } from "../../src/adapters/dependencies/yarn/yarn-dependencies.ts";
import { createNpmDependencies, createNpmTools } from "../../src/adapters/dependencies/npm/npm-dependencies.ts";
import { createPnpmDependencies } from "../../src/adapters/dependencies/pnpm/pnpm-dependencies.ts";
import type { InstalledDependencies } from "../../src/ports/index.ts";
import { builds, downloadsFrom, plain, scoped } from "./dependencies-packages.ts";
import { failureOf, openStage, treeOf, type Stage } from "./dependencies-stage.ts";
import { openStubRegistry, type StubRegistry } from "./dependencies-stub-registry.ts";

type Files = Readonly<Record<string, unknown>>;

let stage: Stage;
let registry: StubRegistry;
const downloads = downloadsFrom("http://127.0.0.1:9/");

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  registry = await openStubRegistry([plain, scoped, builds, downloads]);
});
afterEach(async () => {
  await registry.close();
  rmSync(path.join(stage.cache, "dependencies"), { recursive: true, force: true });
});

/** A repository whose lockfile pnpm would have written for these direct dependencies. */
function repositoryOf(names: readonly string[], more: { manifest?: object; files?: Files; lock?: string } = {}): Files {
  const versions = new Map([plain, scoped, builds, downloads].map((each) => [each.name, each.version]));
  const wanted = names.map((name) => [name, versions.get(name) ?? "0.0.0"] as const);
  const direct = wanted.map(
    ([name, version]) => `      '${name}':\n        specifier: ${version}\n        version: ${version}\n`,
  );
  const packages = wanted.map(
    ([name, version]) => `  '${name}@${version}':\n    resolution: {integrity: ${registry.integrity(name)}}\n`,
  );
  const snapshots = wanted.map(([name, version]) => `  '${name}@${version}': {}\n`);
  return {
    "package.json": {
      name: "repository",
      version: "1.0.0",
      dependencies: Object.fromEntries(wanted),
      ...more.manifest,
    },
    "pnpm-lock.yaml":
      more.lock ??
      `lockfileVersion: '9.0'\nsettings:\n  autoInstallPeers: true\n  excludeLinksFromLockfile: false\nimporters:\n  .:\n    dependencies:\n${direct.join("")}packages:\n${packages.join("")}snapshots:\n${snapshots.join("")}`,
    ...more.files,
  };
}

/** pnpm itself comes from this machine's registry, kept in the tests' cache; the packages come from the stub. */
function install(files: Files): Promise<InstalledDependencies> {
  const { sandbox, toolchain, cache } = stage;
  const options = { sandbox, environment: process.env, holds: createCacheHolds(cache) };
  const tools = createNpmTools({ ...options, cacheDirectory: process.env["TRUEUP_CACHE"] ?? cache });
  const choice = { cacheDirectory: cache, registry: { url: registry.url, retryDelaysMs: [1, 1] } };
  const dependencies = createDependenciesByLockfile({
    npm: createNpmDependencies({ ...options, ...choice }),
    pnpm: createPnpmDependencies({ ...options, ...choice, tools }),
    yarn: createYarnDependencies({ ...options, ...choice, tools }),
  });
  const entries = Object.keys(files).map((file) => ({ path: file, mode: "100644", id: "0".repeat(40), size: 1 }));
  return dependencies.install({ reader: { ...treeOf(files), entries }, toolchain, roots: [""] });
}

const sourceOf = (installed: InstalledDependencies): string => {
  const [first] = installed.mounts;
  return first?.kind === "read-only" ? first.source : "";
};

describe("[F2] a repository with a committed pnpm-lock.yaml", () => {
  test("is installed by it; versions and bins are found as node finds them; the second time nothing is fetched", async () => {
    const files = repositoryOf(["plain", "@o/scoped"], { manifest: { scripts: { prepare: "touch own" } } });
    const first = await install(files);
    expect(first.facts).toMatchObject([{ manager: "pnpm", lockfile: "pnpm-lock.yaml", packages: 2, scripts: "none" }]);
    expect(await first.packageVersion("", "@o/scoped")).toBe("2.3.4-rc.1");
    expect(await first.resolveBin("deep/below", "plain")).toMatch(
      /^\/repo\/node_modules\/(?:\.pnpm\/.*\/)?plain\/bin\/plain\.js$/u,
    );
    expect(existsSync(path.join(sourceOf(first), "..", "own"))).toBe(false);
    await first.release();
    await registry.close();
    const second = await install(files);
    expect(second.facts).toEqual(first.facts);
    await second.release();
    registry = await openStubRegistry([]);
  });

  test("a manifest that the lockfile was not made for is out of step", async () => {
    const error = await failureOf(install(repositoryOf(["plain"], { manifest: { dependencies: { plain: "2.0.0" } } })));
    expect(error.code).toBe("lockfile-out-of-step");
  });

  test("bytes that are not those of the lockfile's integrity end in an account, and nothing is frozen", async () => {
    const files = repositoryOf(["plain"]);
    const other = String(files["pnpm-lock.yaml"]).replace(registry.integrity("plain"), registry.integrity("builds"));
    const error = await failureOf(install({ ...files, "pnpm-lock.yaml": other }));
    expect([error.code, error.message]).toEqual(["dependency-integrity", expect.stringContaining("plain@1.0.0")]);
  });

  test("a package that may build does so without network; one that may not does not", async () => {
    const allowed = { "pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - builds\n" };
    const built = await install(repositoryOf(["builds"], { files: allowed }));
    expect(readFileSync(path.join(sourceOf(built), "builds", "built"), "utf8")).toContain(stage.toolchain.nodeVersion);
    expect(built.facts).toMatchObject([{ scripts: "run-without-network" }]);
    await built.release();
    const silent = await install(repositoryOf(["builds"]));
    expect(existsSync(path.join(sourceOf(silent), "builds", "built"))).toBe(false);
    await silent.release();
  });

  test("an install script that needs the network ends in an account with its last words", async () => {
    const allowed = { "pnpm-workspace.yaml": "onlyBuiltDependencies:\n  - downloads\n" };
    const error = await failureOf(install(repositoryOf(["downloads"], { files: allowed })));
    expect([error.code, error.message]).toEqual(["bootstrap-failed", expect.stringContaining("download failed")]);
  });

  test("members of a workspace are linked, each with its own node_modules", async () => {
    const lock = `lockfileVersion: '9.0'
settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false
importers:
  .:
    dependencies:
      member:
        specifier: workspace:*
        version: link:packages/member
  packages/member:
    dependencies:
      plain:
        specifier: 1.0.0
        version: 1.0.0
packages:
  plain@1.0.0:
    resolution: {integrity: ${registry.integrity("plain")}}
snapshots:
  plain@1.0.0: {}
`;
    const installed = await install({
      "package.json": { name: "repository", private: true, dependencies: { member: "workspace:*" } },
      "packages/member/package.json": { name: "member", version: "1.0.0", dependencies: { plain: "1.0.0" } },
      "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
      "pnpm-lock.yaml": lock,
    });
    expect(installed.mountPoints).toEqual(["node_modules", "packages/member/node_modules"]);
    expect(await installed.packageVersion("packages/member", "plain")).toBe("1.0.0");
    await installed.release();
  });

  test("beside npm's lockfile, packageManager decides", async () => {
    const files = repositoryOf(["plain"], { manifest: { packageManager: "pnpm@10.34.9" } });
    const installed = await install({ ...files, "package-lock.json": "not read" });
    expect(installed.facts[0]?.manager).toBe("pnpm");
    expect(installed.path).toHaveLength(1);
    await installed.release();
  });
});
