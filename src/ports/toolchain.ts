import type { ToolFact } from "../core/facts/index.ts";
import type { SandboxMount } from "./sandbox.ts";

/** The programs a repository runs with, apart from our own. */
export interface ResolvedToolchain {
  readonly tools: readonly ToolFact[];
  /** Where they are bound inside, read-only. */
  readonly mounts: readonly SandboxMount[];
  /** Directories for `PATH` inside, in order. */
  readonly path: readonly string[];
  /** Absolute path of the node binary inside the sandbox (mode 0111). */
  readonly node: string;
  readonly nodeVersion: string;
  /** `NODE_MODULE_VERSION`, part of the dependency key. */
  readonly nodeAbi: string;
  /** Absolute path inside of npm's command line script, null when there is none. */
  readonly npmCli: string | null;
  readonly npmVersion: string | null;
  /** Absent unless it was wished for; null when this machine has none that has pytest. */
  readonly python?: ResolvedPython | null;
}

/** A python of the executor's machine, as it lies inside the sandbox. */
export interface ResolvedPython {
  /** Absolute path inside of the interpreter. */
  readonly binary: string;
  readonly version: string;
  readonly pytestVersion: string;
}

/** What the repository asks for, already read from its base tree. */
export interface ToolchainWishes {
  /** A semver range from `engines.node`, or null. */
  readonly node: string | null;
  /** From `.nvmrc` or `.node-version`, or null. */
  readonly nodeVersionFile: string | null;
  readonly packageManager: string | null;
  /** Whether a python with pytest is needed. */
  readonly python?: boolean;
}

/** Resolves programs on the executor's PATH. Throws `toolchain-missing` and `toolchain-mismatch`. */
export interface Toolchain {
  resolve(wishes: ToolchainWishes): Promise<ResolvedToolchain>;
}
