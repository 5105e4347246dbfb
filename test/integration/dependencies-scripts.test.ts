import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TreeReader } from "../../src/ports/index.ts";
import {
  failureOf,
  installFrom,
  leftovers,
  openStage,
  repositoryOf,
  treeOf,
  type InstallOptions,
  type Stage,
} from "./dependencies-stage.ts";
import { builds, downloadsFrom, plain, scoped } from "./dependencies-packages.ts";
import { openStubRegistry, type StubPackage, type StubRegistry } from "./dependencies-stub-registry.ts";

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

const install = (tree: TreeReader, options?: InstallOptions) => installFrom(stage, registry, tree)(options);

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
    expect(await leftovers(stage)).toEqual([]);
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
