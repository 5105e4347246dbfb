/** What a contract's lint can say; codes are stable, each is explained in docs/contract.md. */
export type FlawCode =
  | "path-matches-nothing"
  | "path-is-directory"
  | "required-outside-scope"
  | "required-forbidden"
  | "protected-not-allowed"
  | "protected-in-scope"
  | "opens-own-policy"
  | "scope-missing"
  | "scope-too-wide"
  | "content-out-of-reach"
  | "already-met"
  | "no-tests"
  | "nothing-new-asked"
  | "no-red-demand"
  | "keeps-nothing"
  | "not-evaluated"
  | "prepare-missing"
  | "cwd-missing"
  | "command-unresolved"
  | "command-names-nothing"
  | "count-below-base"
  | "counts-disagree"
  | "base-not-compared";

/** One thing about a contract that does not make sense on a repository. An error: no change can pass, or every one does. */
export interface ContractFlaw {
  readonly severity: "error" | "warning";
  /** A `FlawCode`; of what the base itself shows, the code of the error table that a delivery would end in. */
  readonly code: string;
  /** Where in the contract: `tests[0].passed`. */
  readonly key: string;
  readonly detail: string;
}

/** Builds a flaw that makes the contract useless. */
export function fatal(code: FlawCode, key: string, detail: string): ContractFlaw {
  return { severity: "error", code, key, detail };
}

/** Builds a flaw that a person should look at. */
export function doubtful(code: FlawCode, key: string, detail: string): ContractFlaw {
  return { severity: "warning", code, key, detail };
}

/** What of the base's tree the lint looks at; no clock, no process. */
export interface BaseView {
  /** Every file of the tree. */
  readonly paths: readonly string[];
  /** `scripts` of the root manifest; null where there is none. */
  readonly scripts: Readonly<Record<string, string>> | null;
  /** Texts of the files that `file_contains` and `file_excludes` name; absent: no such file. */
  readonly texts: ReadonlyMap<string, string>;
}

/** At most three of many names, for a line that a person reads. */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
