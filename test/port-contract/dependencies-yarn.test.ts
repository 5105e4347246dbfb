import { afterAll, beforeAll } from "vitest";
import { createDependenciesByLockfile } from "../../src/adapters/dependencies/by-lockfile/dependencies-by-lockfile.ts";
import type { InstallDriver } from "../../src/adapters/dependencies/shared/install-driver.ts";
import { createNpmDependencies } from "../../src/adapters/dependencies/npm/npm-dependencies.ts";
import { createCacheHolds } from "../../src/adapters/cache/files/cache-holds.ts";
import { openStage, type Stage } from "../integration/dependencies-stage.ts";
import { openStubRegistry, type StubPackage, type StubRegistry } from "../integration/dependencies-stub-registry.ts";
import { listedTree, yarnDriver } from "../integration/dependencies-yarn-stage.ts";
import { dependenciesContract } from "./dependencies-contract.ts";

const only: StubPackage = { name: "only", version: "1.0.0", manifest: { bin: "cli.js" }, files: { "cli.js": "" } };
const unused: InstallDriver = { plan: () => Promise.reject(new Error("no root of this test is pnpm's")) };

let stage: Stage;
let registry: StubRegistry;

beforeAll(async () => {
  [stage, registry] = await Promise.all([openStage(), openStubRegistry([only])]);
});
afterAll(() => Promise.all([stage.close(), registry.close()]));

dependenciesContract("yarn 1", () => ({
  dependencies: createDependenciesByLockfile({
    npm: createNpmDependencies({
      cacheDirectory: stage.cache,
      holds: createCacheHolds(stage.cache),
      sandbox: stage.sandbox,
      environment: process.env,
    }),
    pnpm: unused,
    yarn: yarnDriver(stage, registry),
  }),
  toolchain: stage.toolchain,
  installable: listedTree({
    "package.json": { name: "repository", dependencies: { only: "1.0.0" } },
    "yarn.lock": `only@1.0.0:\n  version "1.0.0"\n  resolved "https://registry.invalid/only/-/only-1.0.0.tgz"\n  integrity ${registry.integrity("only")}\n`,
  }),
  treeOf: listedTree,
}));
