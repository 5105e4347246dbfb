import { rm } from "node:fs/promises";
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
import { builds, plain } from "./dependencies-packages.ts";
import { openStubRegistry, type StubRegistry } from "./dependencies-stub-registry.ts";

let stage: Stage;
let registry: StubRegistry;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  registry = await openStubRegistry([plain, builds]);
});
afterEach(async () => {
  await registry.close();
  await rm(path.join(stage.cache, "dependencies"), { recursive: true, force: true });
});

const install = (tree: TreeReader, options?: InstallOptions) => installFrom(stage, registry, tree)(options);

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
    expect(await leftovers(stage)).toEqual([]);
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
    expect(await leftovers(stage)).toEqual([]);
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
    expect(await leftovers(stage)).toEqual([]);
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
