import type { ErrorRow } from "./error-table.ts";

/** The rows about what a repository asks for: its tests, its packages, its programs. Part of the one table. */
export const repositoryErrorRows = {
  "base-not-measured": {
    category: "integrity",
    message: "The tests of the untouched base did not come to an end",
    hint: "Give the entry a longer `timeout_seconds`, or mend what holds the tests up; nothing can be compared with such a base.",
  },
  "base-not-believed": {
    category: "configuration",
    message: "What the tests of the untouched base report is not consistent in itself",
    hint: "Read the detail: a run whose signals disagree is never believed, so that a delivery would be blocked.",
  },
  "base-without-tests": {
    category: "configuration",
    message: "The command finds no test on the untouched base",
    hint: "Name the command and `cwd` that run the tests, with `--contract FILE`.",
  },
  "contract-vacuous": {
    category: "configuration",
    message: "The untouched base already gives everything that the contract demands",
    hint: "Demand what the change shall bring: more tests by `passed`, `added` or `names`; or set `intent`.",
  },
  "repository-incomplete": {
    category: "configuration",
    message: "Part of the repository's content lies elsewhere",
    hint: "Nothing but the repository's own objects is fetched. Name tests that do not need that content, or commit what they need.",
  },
  "runner-unknown": {
    category: "configuration",
    message: "The test runner is not known",
    hint: "This version runs vitest, jest, node:test and pytest.",
  },
  "runner-unsupported": {
    category: "configuration",
    message: "This version of the test runner cannot be witnessed",
    hint: "Use a version named here, or name another runner.",
  },
  "runner-not-installed": {
    category: "configuration",
    message: "The test runner is not installed",
    hint: "Add it to the dependencies of package.json, run `npm install`, and commit both files; nothing is fetched that the lockfile does not name.",
  },
  "manifest-invalid": {
    category: "configuration",
    message: "The package manifest cannot be read",
    hint: "Make it valid JSON, as npm reads it, and commit it.",
  },
  "lockfile-missing": {
    category: "configuration",
    message: "There is no committed lockfile",
    hint: "Run `npm install` and commit its package-lock.json: dependencies are installed only from a committed lockfile.",
  },
  "lockfile-unsupported": {
    category: "configuration",
    message: "This lockfile is not supported yet",
    hint: "Commit a package-lock.json, pnpm-lock.yaml or yarn.lock; docs/repositories.md says which versions are read.",
  },
  "lockfile-out-of-step": {
    category: "configuration",
    message: "The lockfile does not match the manifest",
    hint: "Run `npm install` and commit the lockfile.",
  },
  "lockfile-invalid": {
    category: "configuration",
    message: "The lockfile cannot be used",
    hint: "Recreate it with your package manager.",
  },
  "unsupported-dependency": {
    category: "configuration",
    message: "A dependency does not come from a registry",
    hint: "Git, tarball and directory dependencies cannot be installed with integrity; depend on a published version.",
  },
  "dependency-not-found": {
    category: "environment",
    message: "The registry does not have a dependency",
    hint: "Check its name and version in package.json and the lockfile, and which registry is asked (npm_config_registry); nothing was installed.",
  },
  "dependency-integrity": {
    category: "integrity",
    message: "A dependency does not have the content the lockfile names",
    hint: "Do not install it: the package or the lockfile was changed. Compare the lockfile with the registry; nothing was installed.",
  },
  "bootstrap-failed": {
    category: "environment",
    message: "Installing the dependencies failed",
    hint: "Read the detail and mend what it names; the same command goes on from here.",
    retryable: true,
  },
  "toolchain-missing": {
    category: "environment",
    message: "The program a test needs was not found",
    hint: "Install it, or put it on the PATH.",
  },
  "toolchain-mismatch": {
    category: "environment",
    message: "No installed version fits what the repository asks for",
    hint: "Install a version that fits, and put it on the PATH.",
  },
} as const satisfies Record<string, ErrorRow>;
