import type { InstalledDependencies, InstallRequest, LockedVersions } from "../../../ports/index.ts";

/** What one package manager will install, read from the tree alone: every refusal of evidence came before this. */
export interface PlannedInstall {
  readonly locked: LockedVersions;
  install(): Promise<InstalledDependencies>;
}

/** One package manager behind the Dependencies port. */
export interface InstallDriver {
  /** Reads and checks what the roots need. Throws the `lockfile-*`, `manifest-invalid` and `*-dependency` errors. */
  plan(request: InstallRequest): Promise<PlannedInstall>;
}

/** A program that is itself a published package, kept frozen as dependencies are: a package manager at an exact version. */
export interface PackageTools {
  /**
   * The package's directory on the host. `integrity` null: what the registry says of that version. Throws
   * `dependency-not-found`, `dependency-integrity` and `bootstrap-failed`.
   */
  open(
    wanted: { readonly name: string; readonly version: string; readonly integrity: string | null },
    request: Pick<InstallRequest, "toolchain" | "signal" | "onProgress">,
  ): Promise<string>;
}
