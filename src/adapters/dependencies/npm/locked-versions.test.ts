import { expect, test } from "vitest";
import { sha256 } from "../../../core/digest.ts";
import type { InstallPlan } from "./install-plan.ts";
import { lockedVersions } from "./locked-versions.ts";
import { parseLockfile } from "./lockfile.ts";

function planOf(root: string, packages: Readonly<Record<string, unknown>>): InstallPlan {
  const json = JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...packages } });
  const lock = parseLockfile(new TextEncoder().encode(json), "package-lock.json");
  return { root, lock, manifests: new Map(), settings: { ignoreScripts: false, flags: [] }, key: sha256(root) };
}

const locked = lockedVersions([
  planOf("", {
    "node_modules/vitest": { version: "3.2.4" },
    "node_modules/own": { link: true, resolved: "packages/own" },
    "packages/own": { version: "0.3.0" },
    "packages/own/node_modules/vitest": { version: "4.1.0" },
    "node_modules/bare": { link: true, resolved: "packages/bare" },
    "packages/bare": {},
  }),
  planOf("web", { "node_modules/vitest": { version: "2.1.9" } }),
  { root: "empty", lock: null },
]);

test.each([
  ["at the root", "", "vitest", "3.2.4"],
  ["upwards from below", "src/deep", "vitest", "3.2.4"],
  ["nearest first", "packages/own/test", "vitest", "4.1.0"],
  ["another root's own", "web/src", "vitest", "2.1.9"],
  ["a root without packages falls back upwards, as node does", "empty", "vitest", "3.2.4"],
  ["a workspace by its own version", "", "own", "0.3.0"],
  ["a workspace without a version", "", "bare", null],
  ["nothing of that name", "", "absent", null],
  ["a name that is a path", "", "../node_modules/vitest", null],
])("a package is looked up %s", (_name, cwd, name, version) => {
  expect(locked(cwd, name)).toBe(version);
});
