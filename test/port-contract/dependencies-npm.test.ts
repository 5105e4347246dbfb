import { afterAll, beforeAll } from "vitest";
import type { TreeReader } from "../../src/ports/index.ts";
import { openStage, repositoryOf, treeOf, type Stage } from "../integration/dependencies-stage.ts";
import { openStubRegistry, type StubPackage, type StubRegistry } from "../integration/dependencies-stub-registry.ts";
import { dependenciesContract } from "./dependencies-contract.ts";

const only: StubPackage = { name: "only", version: "1.0.0", manifest: { bin: "cli.js" }, files: { "cli.js": "" } };

let stage: Stage;
let registry: StubRegistry;
let installable: TreeReader;

beforeAll(async () => {
  [stage, registry] = await Promise.all([openStage(), openStubRegistry([only])]);
  installable = treeOf(repositoryOf(registry, [only]));
});
afterAll(() => Promise.all([stage.close(), registry.close()]));

dependenciesContract("npm", () => ({
  dependencies: stage.dependencies({ registry: { url: registry.url } }),
  toolchain: stage.toolchain,
  installable,
  treeOf,
}));
