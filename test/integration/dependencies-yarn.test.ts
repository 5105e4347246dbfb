import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InstalledDependencies } from "../../src/ports/index.ts";
import { builds, downloadsFrom, plain, scoped } from "./dependencies-packages.ts";
import { failureOf, leftovers, openStage, type Stage } from "./dependencies-stage.ts";
import { openStubRegistry, type StubRegistry } from "./dependencies-stub-registry.ts";
import {
  describePackage,
  listedTree,
  lockWith,
  yarnDependencies,
  yarns,
  type YarnFiles,
  type YarnKind,
} from "./dependencies-yarn-stage.ts";

const packages = [plain, scoped, builds, downloadsFrom("http://127.0.0.1:9/")];
let stage: Stage;
let registry: StubRegistry;
beforeAll(async () => {
  [stage, registry] = await Promise.all([openStage(), openStubRegistry(packages)]);
  for (const each of packages) describePackage(registry, each);
});
afterAll(() => Promise.all([stage.close(), registry.close()]));

const rc = (more = ""): string => `nodeLinker: node-modules\n${more}`;
const settings = (kind: YarnKind, more = ""): YarnFiles => (kind === "yarn 1" ? {} : { ".yarnrc.yml": rc(more) });
const manifest = (dependencies: object, more: object = {}): object => ({
  name: "repository",
  version: "1.0.0",
  private: true,
  dependencies,
  ...more,
});

/** Files with the lockfile that yarn itself writes for them. */
async function locked(kind: YarnKind, files: YarnFiles, more = ""): Promise<YarnFiles> {
  const all = { ...files, ...settings(kind, more) };
  return { ...all, "yarn.lock": await lockWith(stage, kind, { registry, files: all }) };
}

const install = (files: YarnFiles): Promise<InstalledDependencies> =>
  yarnDependencies(stage, registry).install({ reader: listedTree(files), toolchain: stage.toolchain, roots: [""] });

const sourceOf = (installed: InstalledDependencies): string => {
  const [first] = installed.mounts;
  return first?.kind === "read-only" ? first.source : "";
};

describe.each(Object.keys(yarns) as YarnKind[])("[F2] a repository with a committed yarn.lock of %s", (kind) => {
  test("is installed by it, the repository's own scripts never run, and the second time nothing is fetched", async () => {
    const files = await locked(kind, {
      "package.json": manifest(
        { plain: "^1.0.0", "@o/scoped": "2.3.4-rc.1" },
        { scripts: { postinstall: "touch own" } },
      ),
    });
    const first = await install(files);
    expect(first.facts).toMatchObject([{ manager: "yarn", lockfile: "yarn.lock", packages: 2, scripts: "none" }]);
    expect(await first.packageVersion("", "@o/scoped")).toBe("2.3.4-rc.1");
    expect(await first.resolveBin("deep/below", "plain")).toBe("/repo/node_modules/plain/bin/plain.js");
    expect(existsSync(path.join(sourceOf(first), "..", "own"))).toBe(false);
    await first.release();
    const asked = registry.asked.length;
    const second = await install(files);
    expect([second.facts, registry.asked.length]).toEqual([first.facts, asked]);
    await second.release();
  });

  test("a manifest that the lockfile was not made for is out of step", async () => {
    const files = await locked(kind, { "package.json": manifest({ plain: "1.0.0" }) });
    const error = await failureOf(install({ ...files, "package.json": manifest({ plain: "1.0.0", builds: "1.0.0" }) }));
    expect(error.code).toBe("lockfile-out-of-step");
  });

  test("bytes that are not those that the lockfile was made for end in an account, and nothing is frozen", async () => {
    const files = await locked(kind, {
      "package.json": manifest({ "@o/scoped": "2.3.4-rc.1" }, { description: kind }),
    });
    const before = await leftovers(stage);
    for (const slash of ["/", "%2f"])
      registry.answer(`/@o${slash}scoped/-/scoped-2.3.4-rc.1.tgz`, (response) =>
        response.end(registry.tarball("plain")),
      );
    const error = await failureOf(install(files));
    registry.answer("/@o/scoped/-/scoped-2.3.4-rc.1.tgz", (response) => response.end(registry.tarball("@o/scoped")));
    registry.answer("/@o%2fscoped/-/scoped-2.3.4-rc.1.tgz", (response) => response.end(registry.tarball("@o/scoped")));
    expect(error.code).toBe("dependency-integrity");
    expect((await leftovers(stage)).filter((name) => /^[0-9a-f]{64}$/u.test(name))).toEqual(
      before.filter((name) => /^[0-9a-f]{64}$/u.test(name)),
    );
  });

  test("install scripts run without network; one that needs it ends in an account with its last words", async () => {
    const built = await install(
      await locked(kind, { "package.json": manifest({ builds: "1.0.0" }) }, "enableScripts: true\n"),
    );
    expect(readFileSync(path.join(sourceOf(built), "builds", "built"), "utf8")).toContain(stage.toolchain.nodeVersion);
    expect(built.facts).toMatchObject([{ scripts: "run-without-network" }]);
    await built.release();
    const needs = await locked(kind, { "package.json": manifest({ downloads: "1.0.0" }) }, "enableScripts: true\n");
    expect((await failureOf(install(needs))).code).toBe("bootstrap-failed");
  });

  test("members of a workspace are linked into the tree", async () => {
    const files = await locked(kind, {
      "package.json": manifest({ member: "1.0.0" }, { workspaces: ["packages/*"] }),
      "packages/member/package.json": { name: "member", version: "1.0.0", dependencies: { plain: "1.0.0" } },
    });
    const installed = await install(files);
    expect(await installed.packageVersion("packages/member", "plain")).toBe("1.0.0");
    expect(await installed.packageVersion("", "member")).toBe("1.0.0");
    await installed.release();
  });
});

test.each([
  ["Plug'n'Play", { ".yarnrc.yml": "" }, "lockfile-unsupported"],
  ["an old format", { ".yarnrc.yml": rc(), "yarn.lock": "__metadata:\n  version: 4\n" }, "lockfile-unsupported"],
  [
    "git in the newer format",
    {
      ".yarnrc.yml": rc(),
      "yarn.lock": '__metadata:\n  version: 8\n"a@git@x:y":\n  version: 1.0.0\n  resolution: "a@git@x:y#commit=1"\n',
    },
    "unsupported-dependency",
  ],
  [
    "git in the older format",
    { "yarn.lock": 'a@x/y:\n  version "1.0.0"\n  resolved "https://forge.invalid/x/y/tar.gz/0123"\n' },
    "unsupported-dependency",
  ],
  [
    "no integrity",
    { "yarn.lock": 'a@1:\n  version "1.0.0"\n  resolved "https://r.invalid/a/-/a-1.0.0.tgz"\n' },
    "lockfile-invalid",
  ],
  ["no lockfile at all", { "yarn.lock": "<<<<<<< HEAD\n" }, "lockfile-invalid"],
])("[F2] a yarn.lock with %s is refused before anything is fetched", async (_what, files, code) => {
  const asked = registry.asked.length;
  const newer = { "yarn.lock": "__metadata:\n  version: 8\n", "package.json": manifest({}) };
  expect([(await failureOf(install({ ...newer, ...files }))).code, registry.asked.length]).toEqual([code, asked]);
});
