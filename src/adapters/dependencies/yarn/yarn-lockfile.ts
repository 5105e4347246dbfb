import type { RegistryPackage } from "../shared/locked-package.ts";

/** What of a `yarn.lock` decides an installation, of either format. */
export interface YarnLockfile {
  readonly path: string;
  /** `classic` is the format of yarn 1, `berry` that of all later ones. */
  readonly format: "classic" | "berry";
  /** The format's version: 1, or the number in `__metadata`. */
  readonly version: number;
  readonly packages: readonly RegistryPackage[];
  /** Members by directory relative to the lockfile; only berry's format names them. */
  readonly members: readonly string[];
  /** The locked version for each descriptor (`name@range`). */
  readonly resolved: ReadonlyMap<string, string>;
  /** Files of the repository that patch packages, relative to the lockfile. */
  readonly patches: readonly string[];
  /** SHA-512 sums, in hex, of the archives that yarn makes of packages, by `name@version`; empty for yarn 1. */
  readonly archives: ReadonlyMap<string, string>;
  /** As yarn shall read it: every package is asked for at the one registry. */
  readonly text: string;
}
