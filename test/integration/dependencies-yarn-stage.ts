import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createCacheHolds } from "../../src/adapters/cache/files/cache-holds.ts";
import { createNpmTools } from "../../src/adapters/dependencies/npm/npm-dependencies.ts";
import { createYarnDependencies } from "../../src/adapters/dependencies/yarn/yarn-dependencies.ts";
import type { InstallDriver, PackageTools } from "../../src/adapters/dependencies/shared/install-driver.ts";
import type { Dependencies, TreeReader } from "../../src/ports/index.ts";
import { treeOf, type Stage } from "./dependencies-stage.ts";
import type { StubPackage, StubRegistry } from "./dependencies-stub-registry.ts";

/** Files by path; objects are written as JSON. */
export type YarnFiles = Readonly<Record<string, unknown>>;

/** The kinds of yarn that are tried, by the package that each is. */
export const yarns = {
  "yarn 1": { name: "yarn", version: "1.22.22" },
  "yarn 3": { name: "@yarnpkg/cli-dist", version: "3.8.7" },
  "yarn 4": { name: "@yarnpkg/cli-dist", version: "4.18.1" },
} as const;
export type YarnKind = keyof typeof yarns;

/** Yarn itself comes from this machine's registry, kept in the tests' cache. */
function toolsOf({ sandbox, cache }: Stage): PackageTools {
  const cacheDirectory = process.env["TRUEUP_CACHE"] ?? cache;
  return createNpmTools({ sandbox, environment: process.env, holds: createCacheHolds(cacheDirectory), cacheDirectory });
}

/** The driver over a stub registry. */
export function yarnDriver(stage: Stage, registry: StubRegistry): InstallDriver {
  const { sandbox, cache } = stage;
  return createYarnDependencies({
    cacheDirectory: cache,
    holds: createCacheHolds(cache),
    sandbox,
    tools: toolsOf(stage),
    environment: process.env,
    registry: { url: registry.url, retryDelaysMs: [1, 1] },
  });
}

/** The driver as a port of its own. */
export function yarnDependencies(stage: Stage, registry: StubRegistry): Dependencies {
  return {
    async install(request) {
      const planned = await yarnDriver(stage, registry).plan(request);
      request.onLocked?.(planned.locked);
      return planned.install();
    },
  };
}

/** A tree with its listing, which yarn's members are found in. */
export function listedTree(files: YarnFiles): TreeReader {
  const entries = Object.keys(files).map((file) => ({ path: file, mode: "100644", id: "0".repeat(40), size: 1 }));
  return { ...treeOf(files), entries };
}

/** Makes the registry tell what it has of a package, as yarn asks before there is a lockfile. */
export function describePackage(registry: StubRegistry, { name, version, manifest }: StubPackage): void {
  const tarball = `${registry.url}${name}/-/${name.slice(name.indexOf("/") + 1)}-${version}.tgz`;
  const dist = { tarball, integrity: registry.integrity(name) };
  const document = {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { name, version, ...manifest, dist } },
  };
  for (const slash of ["/", "%2f"])
    registry.answer(`/${name.replace("/", slash)}`, (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document)),
    );
}

/** The lockfile that yarn itself writes for these files. */
export async function lockWith(
  stage: Stage,
  kind: YarnKind,
  options: { readonly registry: StubRegistry; readonly files: YarnFiles },
): Promise<string> {
  const directory = await toolsOf(stage).open({ ...yarns[kind], integrity: null }, { toolchain: stage.toolchain });
  const place = await mkdtemp(path.join(tmpdir(), "trueup-yarn-"));
  try {
    for (const [name, content] of Object.entries({ "yarn.lock": "", ...options.files })) {
      await mkdir(path.dirname(path.join(place, name)), { recursive: true });
      await writeFile(path.join(place, name), typeof content === "string" ? content : JSON.stringify(content));
    }
    const classic = [
      "install",
      "--ignore-scripts",
      "--non-interactive",
      "--no-default-rc",
      `--registry=${options.registry.url}`,
      `--cache-folder=${place}/cache`,
    ];
    const argv = kind === "yarn 1" ? classic : ["install", "--mode=skip-build"];
    const env = {
      PATH: process.env["PATH"],
      HOME: place,
      YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
      YARN_NPM_REGISTRY_SERVER: options.registry.url.replace(/\/$/u, ""),
      YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
      YARN_ENABLE_GLOBAL_CACHE: "0",
      YARN_ENABLE_TELEMETRY: "0",
      ...(kind === "yarn 4" ? { YARN_NPM_MINIMAL_AGE_GATE: "0" } : {}),
    };
    await promisify(execFile)(process.execPath, [path.join(directory, "bin/yarn.js"), ...argv], {
      cwd: place,
      env,
    }).catch((error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}: ${error.stdout ?? ""}`);
    });
    return await readFile(path.join(place, "yarn.lock"), "utf8");
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
