import type { AcceptanceContract } from "./schema.ts";

/** A contract whose projects have become entries of its own, and the roots of those that a change leaves alone. */
export interface ExpandedContract {
  /** `tests` and `commands` of the affected projects stand behind the contract's own; there is no `projects` left. */
  readonly contract: AcceptanceContract;
  readonly unaffected: readonly string[];
}

/**
 * Turns the projects of a monorepo into entries that run in their roots: those that a changed path lies in, or all when a
 * changed path lies in none, since what all share may break each. `changed` null stands for a change that is not known yet.
 */
export function expandProjects(
  { projects = [], ...contract }: AcceptanceContract,
  changed: readonly string[] | null,
): ExpandedContract {
  const shared = changed === null || changed.some((path) => !projects.some(({ root }) => liesIn(path, root)));
  const isAffected = ({ root }: { readonly root: string }): boolean =>
    shared || (changed ?? []).some((path) => liesIn(path, root));
  const affected = projects.filter(isAffected);
  const tests = affected.flatMap(({ root, tests: own = [] }) => own.map((one) => within(root, one)));
  const commands = affected.flatMap(({ root, commands: own = [] }) => own.map((one) => within(root, one)));
  return {
    contract: {
      ...contract,
      ...(tests.length === 0 ? {} : { tests: [...(contract.tests ?? []), ...tests] }),
      ...(commands.length === 0 ? {} : { commands: [...(contract.commands ?? []), ...commands] }),
    },
    unaffected: projects.filter((one) => !isAffected(one)).map(({ root }) => root),
  };
}

function liesIn(path: string, root: string): boolean {
  const directory = plain(root);
  return directory === "" || path.startsWith(`${directory}/`);
}

function within<T extends { readonly cwd?: string | undefined }>(root: string, entry: T): T {
  const cwd = [plain(root), plain(entry.cwd ?? "")].filter((part) => part !== "").join("/");
  return cwd === "" ? entry : { ...entry, cwd };
}

/** `./web/` and `web` are one place; the root is empty. */
function plain(directory: string): string {
  return directory
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}
