import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { TreeReader } from "../../ports/index.ts";

const lockfiles = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"];

/** Where packages must be installed so that every command of the contract finds its own: the nearest directory upwards from each `cwd` with a lockfile, else with a manifest. Relative to the root, `""` is the root. */
export function packageRootsOf(reader: TreeReader, contract: AcceptanceContract | null): readonly string[] {
  const paths = new Set(reader.entries.map((entry) => entry.path));
  const items = [contract?.tests, contract?.commands, contract?.prepare, contract?.held_out_tests].flatMap(
    (list): readonly { readonly cwd?: string | undefined }[] => list ?? [],
  );
  const cwds = items.length === 0 ? [""] : items.map((item) => normalDirectory(item.cwd ?? ""));
  return [...new Set(cwds.map((cwd) => rootFor(cwd, paths)).filter((root) => root !== null))].sort();
}

/** `"./web/"` and `"web"` are one directory; the root is `""`. */
export function normalDirectory(cwd: string): string {
  return cwd
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

function rootFor(cwd: string, paths: ReadonlySet<string>): string | null {
  const upwards = ancestors(cwd);
  const has = (directory: string, name: string): boolean => paths.has(directory === "" ? name : `${directory}/${name}`);
  return (
    upwards.find((directory) => lockfiles.some((name) => has(directory, name))) ??
    upwards.find((directory) => has(directory, "package.json")) ??
    null
  );
}

function ancestors(directory: string): readonly string[] {
  const parts = directory === "" ? [] : directory.split("/");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), ""];
}
