import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, afterAll, describe, expect, test } from "vitest";
import { TrueupError } from "../../src/errors.ts";
import type { InstalledDependencies, TreeReader } from "../../src/ports/index.ts";
import { openStage, packageRoot, repositoryOf, treeOf, type Stage } from "./dependencies-stage.ts";
import { openStubRegistry, type StubPackage, type StubRegistry } from "./dependencies-stub-registry.ts";

const plain: StubPackage = {
  name: "plain",
  version: "1.0.0",
  manifest: { bin: { plain: "bin/plain.js" } },
  files: { "bin/plain.js": "#!/usr/bin/env node\n", "index.js": "module.exports = 1\n" },
};
const scoped: StubPackage = { name: "@o/scoped", version: "2.3.4-rc.1" };
const builds: StubPackage = {
  name: "builds",
  version: "1.0.0",
  manifest: { scripts: { install: "node build.js" } },
  files: {
    "build.js":
      "require('fs').writeFileSync('built', process.version + ' ' + require('child_process').execSync('npm --version'))\n",
  },
};
/** Its install script asks a server that listens on this machine and that a process with any network would reach. */
const downloadsFrom = (url: string): StubPackage => ({
  name: "downloads",
  version: "1.0.0",
  manifest: { scripts: { postinstall: "node get.js" } },
  files: {
    "get.js": `require('http').get('${url}', () => process.exit(0)).on('error', (e) => { console.error('download failed', e.code); process.exit(1) })`,
  },
});

let stage: Stage;
let registry: StubRegistry;
let outside: StubRegistry;
let downloads: StubPackage;

beforeAll(async () => {
  stage = await openStage();
  outside = await openStubRegistry([]);
  downloads = downloadsFrom(outside.url);
});
afterAll(async () => {
  await outside.close();
  await stage.close();
});
beforeEach(async () => {
  registry = await openStubRegistry([plain, scoped, builds, downloads]);
});
afterEach(async () => {
  await registry.close();
  await rm(path.join(stage.cache, "dependencies"), { recursive: true, force: true });
});

const choice = () => ({ url: registry.url, retryDelaysMs: [1, 1] });

function install(
  tree: TreeReader,
  more: { roots?: string[]; signal?: AbortSignal; token?: string } = {},
): Promise<InstalledDependencies> {
  const { roots = [""], signal, token } = more;
  const dependencies = stage.dependencies({ registry: { ...choice(), ...(token === undefined ? {} : { token }) } });
  return dependencies.install({
    reader: tree,
    toolchain: stage.toolchain,
    roots,
    ...(signal === undefined ? {} : { signal }),
  });
}

async function failureOf(work: Promise<unknown>): Promise<TrueupError> {
  const error: unknown = await work.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof TrueupError) return error;
  throw error;
}

/** What lies in the cache besides leases: nothing half built may. */
async function leftovers(): Promise<readonly string[]> {
  const names = await readdir(path.join(stage.cache, "dependencies")).catch(() => []);
  return names.filter((name) => name !== "leases");
}

describe("[F2] installing from the committed lockfile", () => {
  test("[F2] packages come through the proxy, are frozen, and a second install asks nobody", async () => {
    const tree = treeOf(repositoryOf(registry, [plain, scoped]));
    const first = await install(tree);
    expect(first.facts).toMatchObject([
      { root: "", manager: "npm", lockfile: "package-lock.json", packages: 2, scripts: "none" },
    ]);
    expect(first.mountPoints).toEqual(["node_modules"]);
    expect(first.mounts[0]).toMatchObject({ kind: "read-only", target: "/repo/node_modules" });
    expect(first.mounts.slice(1).map((mount) => mount.target)).toEqual(
      [".vite", ".vite-temp", ".vitest-cache", ".cache"].map((name) => `/repo/node_modules/${name}`),
    );
    expect(await first.packageVersion("src/deep", "@o/scoped")).toBe("2.3.4-rc.1");
    expect(await first.packageVersion("", "absent")).toBeNull();
    expect(await first.resolveBin("src", "plain")).toBe("/repo/node_modules/plain/bin/plain.js");
    expect(await first.resolveBin("", "../plain")).toBeNull();
    const asked = registry.asked.length;
    expect(asked).toBe(2);
    const second = await install(tree);
    expect(second.facts).toEqual(first.facts);
    expect(registry.asked.length).toBe(asked);
    await Promise.all([first.release(), second.release()]);
    expect(await readdir(path.join(stage.cache, "dependencies", "leases"))).toEqual([]);
  });

  test("the store is visible in the sandbox, cannot be written there, and its caches can", async () => {
    const installed = await install(treeOf(repositoryOf(registry, [plain])));
    const base = path.join(stage.cache, "base");
    await mkdir(path.join(base, "node_modules"), { recursive: true });
    const room = await stage.sandbox.openRoom({ base, deltas: [], mountPoints: installed.mountPoints, bytes: 2 ** 24 });
    try {
      const script =
        "const fs = require('fs'); const t = (p) => { try { fs.writeFileSync(p, 'x'); return 'written' } catch (e) { return e.code } }; console.log(require('plain'), t('node_modules/plain/index.js'), t('node_modules/new'), t('node_modules/.vite-temp/x'))";
      const result = await stage.sandbox.run({
        phase: "test",
        argv: [stage.toolchain.node, "-e", script],
        cwd: "/repo",
        env: { PATH: "/usr/bin:/bin" },
        room,
        mounts: [...stage.toolchain.mounts, ...installed.mounts],
        limits: { wall_ms: 60_000, idle_ms: null, memory_bytes: 2 ** 30, pids: 64, output_bytes: 2 ** 20 },
        proc: "synthetic",
      });
      expect(new TextDecoder().decode(result.stdout).trim()).toBe("1 EROFS EROFS written");
    } finally {
      await room.close();
      await installed.release();
    }
  });

  test("no manifest, and a manifest without dependencies, need no lockfile", async () => {
    expect((await install(treeOf({ "README.md": "x" }))).facts).toEqual([]);
    const empty = await install(treeOf({ "package.json": { name: "r" } }));
    expect(empty.facts).toEqual([
      { root: "", manager: "none", lockfile: null, key: null, packages: 0, scripts: "none" },
    ]);
    expect(empty.mounts).toEqual([]);
    expect(empty.mountPoints).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["no lockfile", { "package.json": { dependencies: { a: "1" } } }, "lockfile-missing", "package-lock.json"],
    [
      "pnpm's alone",
      { "package.json": { dependencies: { a: "1" } }, "pnpm-lock.yaml": "x" },
      "lockfile-unsupported",
      "pnpm-lock.yaml",
    ],
    [
      "yarn's alone",
      { "package.json": { dependencies: { a: "1" } }, "yarn.lock": "x" },
      "lockfile-unsupported",
      "yarn.lock",
    ],
    [
      "two, and packageManager names pnpm",
      {
        "package.json": { dependencies: { a: "1" }, packageManager: "pnpm@10.0.0" },
        "pnpm-lock.yaml": "x",
        "package-lock.json": {},
      },
      "lockfile-unsupported",
      "pnpm-lock.yaml",
    ],
    ["a manifest that is no JSON", { "package.json": "{" }, "manifest-invalid", "package.json"],
  ])("[F2] %s is refused", async (_name, files, code, words) => {
    const error = await failureOf(install(treeOf(files)));
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(registry.asked).toEqual([]);
  });

  test("npm's own check of the lock is an honest account too", async () => {
    const files = repositoryOf(registry, [{ ...plain }], {
      locked: {
        "node_modules/plain": {
          version: "1.0.0",
          integrity: registry.integrity("plain"),
          dependencies: { absent: "^1.0.0" },
        },
      },
    });
    const error = await failureOf(install(treeOf(files)));
    expect(error.code).toBe("lockfile-out-of-step");
    expect(registry.asked.every((each) => each.startsWith("/plain/"))).toBe(true);
  });
});

describe("[F2] a registry that does not deliver what the lockfile names", () => {
  const withGhost = (more: Record<string, unknown> = {}) =>
    treeOf(
      repositoryOf(registry, [plain], {
        manifest: { dependencies: { plain: "1.0.0", ghost: "9.9.9" }, ...more },
        locked: { "node_modules/ghost": { version: "9.9.9", integrity: registry.integrity("plain") } },
      }),
    );

  test("[F2] 404: an honest account with name and version, and nothing frozen", async () => {
    const error = await failureOf(install(withGhost()));
    expect(error.code).toBe("dependency-not-found");
    expect(error.message).toContain("ghost@9.9.9");
    expect(await leftovers()).toEqual([]);
  });

  test("a version that was taken down, while the package stays", async () => {
    registry.answer("/ghost", (response) => response.end(JSON.stringify({ versions: { "1.0.0": {} } })));
    const error = await failureOf(install(withGhost()));
    expect(error.message).toContain("not this version");
  });

  test("a tarball kept elsewhere is found through the package's document, with the token only for that origin", async () => {
    const elsewhere = await openStubRegistry([plain]);
    try {
      const dist = { tarball: `${elsewhere.url}plain/-/plain-1.0.0.tgz` };
      registry.answer("/plain/-/plain-1.0.0.tgz", (response) => response.writeHead(404).end());
      registry.answer("/plain", (response) => response.end(JSON.stringify({ versions: { "1.0.0": { dist } } })));
      const installed = await install(treeOf(repositoryOf(registry, [plain])), { token: "word-for-the-registry" });
      expect(await installed.packageVersion("", "plain")).toBe("1.0.0");
      expect(registry.tokens).toEqual(["Bearer word-for-the-registry", "Bearer word-for-the-registry"]);
      expect(elsewhere.asked).toEqual(["/plain/-/plain-1.0.0.tgz"]);
      expect(elsewhere.tokens).toEqual([]);
      await installed.release();
    } finally {
      await elsewhere.close();
    }
  });

  test("a redirect to another host does not carry the token", async () => {
    const elsewhere = await openStubRegistry([plain]);
    try {
      registry.answer("/plain/-/plain-1.0.0.tgz", (response) =>
        response.writeHead(302, { location: `${elsewhere.url}plain/-/plain-1.0.0.tgz` }).end(),
      );
      await (await install(treeOf(repositoryOf(registry, [plain])), { token: "word-for-the-registry" })).release();
      expect(elsewhere.asked.length).toBe(1);
      expect(elsewhere.tokens).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test("500 again and again: a bounded number of tries, then retryable", async () => {
    registry.answer("/plain/-/plain-1.0.0.tgz", (response) => response.writeHead(500).end());
    const error = await failureOf(install(treeOf(repositoryOf(registry, [plain]))));
    expect(error.code).toBe("bootstrap-failed");
    expect(error.retryable).toBe(true);
    expect(error.message).toContain("plain@1.0.0");
    expect(registry.asked.length).toBe(3);
    expect(await leftovers()).toEqual([]);
  });

  test("500 once is mended by a second try", async () => {
    let tries = 0;
    registry.answer("/plain/-/plain-1.0.0.tgz", (response) =>
      ++tries === 1 ? response.writeHead(503).end() : response.end(registry.tarball("plain")),
    );
    await (await install(treeOf(repositoryOf(registry, [plain])))).release();
    expect(tries).toBe(2);
  });

  test("[F2] other bytes than the lockfile names are never passed on", async () => {
    registry.answer("/plain/-/plain-1.0.0.tgz", (response) => response.end(registry.tarball("builds")));
    const error = await failureOf(install(treeOf(repositoryOf(registry, [plain]))));
    expect(error.code).toBe("dependency-integrity");
    expect(error.message).toContain("plain@1.0.0");
    expect(await leftovers()).toEqual([]);
  });

  test("an optional package that failed on the way is never frozen as a hole, one that does not exist may be", async () => {
    const optional = { version: "9.9.9", integrity: registry.integrity("plain"), optional: true };
    const dependencies = { plain: "1.0.0" };
    const files = repositoryOf(registry, [plain], {
      manifest: { dependencies, optionalDependencies: { ghost: "9.9.9" } },
      locked: { "node_modules/ghost": optional },
    });
    registry.answer("/ghost/-/ghost-9.9.9.tgz", (response) => response.writeHead(500).end());
    expect((await failureOf(install(treeOf(files)))).code).toBe("bootstrap-failed");
    registry.answer("/ghost/-/ghost-9.9.9.tgz", (response) => response.writeHead(404).end());
    const installed = await install(treeOf(files));
    expect(installed.facts).toMatchObject([{ packages: 1 }]);
    await installed.release();
  });
});

describe("[F2] scripts and settings of a repository and its dependencies", () => {
  test("install scripts run without network, with node and npm at hand; the repository's own never run", async () => {
    const scripts = { preinstall: "touch own", install: "touch own", postinstall: "touch own", prepare: "touch own" };
    const installed = await install(
      treeOf(repositoryOf(registry, [builds], { manifest: { dependencies: { builds: "1.0.0" }, scripts } })),
    );
    expect(installed.facts).toMatchObject([{ scripts: "run-without-network" }]);
    const source = installed.mounts[0]?.kind === "read-only" ? installed.mounts[0].source : "";
    expect(await readFile(path.join(source, "builds", "built"), "utf8")).toContain(
      `v${stage.toolchain.nodeVersion} ${stage.toolchain.npmVersion ?? ""}`,
    );
    await expect(stat(path.join(source, "..", "own"))).rejects.toThrow();
    await installed.release();
  });

  test("an install script that needs the network ends in an account with its name and last words", async () => {
    const error = await failureOf(install(treeOf(repositoryOf(registry, [downloads]))));
    expect(error.code).toBe("bootstrap-failed");
    expect(error.message).toContain("the install script of downloads");
    expect(error.message).toContain("download failed");
    expect(error.hint).toContain("without network");
    expect(outside.asked).toEqual([]);
    expect(await leftovers()).toEqual([]);
  });

  test("an optional package whose script fails is left out, as npm does", async () => {
    const locked = {
      version: "1.0.0",
      integrity: registry.integrity("downloads"),
      optional: true,
      hasInstallScript: true,
    };
    const manifest = { dependencies: { plain: "1.0.0" }, optionalDependencies: { downloads: "1.0.0" } };
    const installed = await install(
      treeOf(repositoryOf(registry, [plain], { manifest, locked: { "node_modules/downloads": locked } })),
    );
    expect(await installed.packageVersion("", "downloads")).toBeNull();
    expect(await installed.packageVersion("", "plain")).toBe("1.0.0");
    await installed.release();
  });

  test("a repository's .npmrc cannot choose the registry, and can switch scripts off", async () => {
    const files = {
      ...repositoryOf(registry, [builds]),
      ".npmrc": "registry=http://127.0.0.1:9/\nignore-scripts=true\n",
    };
    const installed = await install(treeOf(files));
    expect(installed.facts).toMatchObject([{ packages: 1, scripts: "skipped" }]);
    expect(registry.asked).toEqual(["/builds/-/builds-1.0.0.tgz"]);
    await installed.release();
  });

  test("workspaces: one mount for each node_modules, links into the tree", async () => {
    const member = { name: "member", version: "1.0.0", dependencies: { plain: "1.0.0" } };
    const nested = { version: "1.0.0", integrity: registry.integrity("plain"), bin: { plain: "bin/plain.js" } };
    const files = {
      ...repositoryOf(registry, [scoped], {
        manifest: { dependencies: { "@o/scoped": scoped.version }, workspaces: ["packages/*"] },
        locked: {
          "packages/member": { ...member },
          "node_modules/member": { resolved: "packages/member", link: true },
          "packages/member/node_modules/plain": nested,
        },
      }),
      "packages/member/package.json": member,
    };
    const installed = await install(treeOf(files), { roots: ["packages/member"] });
    expect(installed.mountPoints).toEqual(["node_modules", "packages/member/node_modules"]);
    expect(await installed.resolveBin("packages/member/src", "plain")).toBe(
      "/repo/packages/member/node_modules/plain/bin/plain.js",
    );
    expect(await installed.packageVersion("packages/member", "@o/scoped")).toBe(scoped.version);
    expect(await installed.packageVersion("", "plain")).toBeNull();
    await installed.release();
  });
});

describe("[F2] one store, many processes", () => {
  test("two installations at once fetch each package once", async () => {
    const tree = treeOf(repositoryOf(registry, [plain, scoped]));
    const both = await Promise.all([install(tree), install(tree), install(tree)]);
    expect(registry.asked.length).toBe(2);
    expect(new Set(both.map((each) => each.facts[0]?.key)).size).toBe(1);
    await Promise.all(both.map((each) => each.release()));
  });

  test("the lock of a process that died is taken over, and what it left half built is removed", async () => {
    const tree = treeOf(repositoryOf(registry, [plain]));
    const warm = await install(tree);
    await warm.release();
    const store = path.join(stage.cache, "dependencies");
    const key = warm.facts[0]?.key?.slice("sha256:".length) ?? "";
    const dead = spawn(process.execPath, ["-e", ""]);
    await once(dead, "exit");
    const holder = JSON.stringify({ pid: dead.pid, started: "1" });
    await rm(path.join(store, key), { recursive: true });
    await writeFile(path.join(store, `${key}.lock`), holder);
    await mkdir(path.join(store, ".build-left"), { recursive: true });
    await writeFile(path.join(store, ".build-left", "owner"), holder);
    await (await install(tree)).release();
    expect(await leftovers()).toEqual([key]);
  });

  test.each([
    ["without its manifest", "manifest.json"],
    ["without npm's record", "tree/node_modules/.package-lock.json"],
  ])("a store %s is never used: it is built again", async (_name, file) => {
    const tree = treeOf(repositoryOf(registry, [plain]));
    const warm = await install(tree);
    await warm.release();
    const key = warm.facts[0]?.key?.slice("sha256:".length) ?? "";
    await rm(path.join(stage.cache, "dependencies", key, file));
    const again = await install(tree);
    expect(registry.asked.length).toBe(2);
    expect(again.facts).toEqual(warm.facts);
    await again.release();
  });

  test("interrupted while the registry keeps silent: nothing stays behind, and the same install works afterwards", async () => {
    const tree = treeOf(repositoryOf(registry, [plain]));
    const abort = new AbortController();
    registry.answer("/plain/-/plain-1.0.0.tgz", () => abort.abort());
    expect((await failureOf(install(tree, { signal: abort.signal }))).code).toBe("interrupted");
    expect(await leftovers()).toEqual([]);
    registry.answer("/plain/-/plain-1.0.0.tgz", (response) => response.end(registry.tarball("plain")));
    await (await install(tree)).release();
  });
});

test("[F2] the canary installs from its committed lockfile, through the registry this machine is configured for", async () => {
  const canary = path.join(packageRoot, "examples", "slug-canary");
  const reader: TreeReader = {
    tree: "0".repeat(40),
    entries: [],
    read: (file) => readFile(path.join(canary, file)).catch(() => null),
  };
  const dependencies = stage.dependencies();
  const request = { reader, toolchain: stage.toolchain, roots: [""] };
  const cold = await dependencies.install(request);
  expect(await cold.packageVersion("test", "vitest")).toBe("5.1.2");
  expect(await cold.resolveBin("", "vitest")).toBe("/repo/node_modules/vitest/vitest.mjs");
  const warm = await dependencies.install(request);
  expect(warm.facts).toEqual(cold.facts);
  await Promise.all([cold.release(), warm.release()]);
});
