import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxMount } from "../../../ports/index.ts";

/** A package manager that is itself a package: where it lies on the host, and how it is called inside. */
export interface InstallerProgram {
  /** Words that start it inside. */
  readonly argv: readonly string[];
  /** Its package and its launcher. */
  readonly mounts: readonly SandboxMount[];
  /** Where the launcher lies inside, for `PATH`: scripts of the repository call the manager by its name. */
  readonly path: string;
}

/**
 * Writes the launcher of a manager and says how it is mounted. `runs` is the file below the package, and what runs it:
 * a node's path inside, or null for a program of its own. `settings` hold inside the launcher alone.
 */
export async function openInstallerProgram(place: {
  readonly name: string;
  readonly version: string;
  readonly directory: string;
  readonly launchers: string;
  readonly runs: { readonly file: string; readonly node: string | null };
  readonly settings: Readonly<Record<string, string>>;
}): Promise<InstallerProgram> {
  const { name, version, directory, runs } = place;
  const inside = `/opt/trueup/${name}`;
  const launchers = join(place.launchers, `${name}-${version}`);
  const file = `${inside}/${runs.file}`;
  const words = Object.entries(place.settings).map(([key, value]) => `${key}=${value}`);
  const program = runs.node === null ? file : `node ${file}`;
  await mkdir(launchers, { recursive: true, mode: 0o755 });
  await writeFile(join(launchers, name), `#!/bin/sh\nexec env ${[...words, program].join(" ")} "$@"\n`, {
    mode: 0o755,
  });
  return {
    argv: runs.node === null ? [file] : [runs.node, file],
    mounts: [
      { kind: "read-only", source: directory, target: inside },
      { kind: "read-only", source: launchers, target: `${inside}-bin` },
    ],
    path: `${inside}-bin`,
  };
}
