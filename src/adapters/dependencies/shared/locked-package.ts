/** A package that a registry holds, as a lockfile names it. */
export interface RegistryPackage {
  readonly name: string;
  readonly version: string;
  /** Of its tarball; null where the lockfile sums up something else, which is then checked after the installation. */
  readonly integrity: string | null;
}
