import { TrueupError } from "../../errors.ts";
import type { PlannedRunner } from "./planned-runners.ts";

/** Files that name packages which this version does not install. */
const named = ["requirements.txt", "pylock.toml", "poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "Pipfile"];

/**
 * Refuses python tests whose packages are named in a file: only what the machine's python has is there to run with, and
 * a run with other versions than those named would say nothing. Throws `lockfile-unsupported`.
 */
export function refusePythonPackages(planned: readonly PlannedRunner[]): void {
  for (const { runner, place } of planned) {
    if (runner.program !== "python") continue;
    const paths = new Set(place.reader.entries.map((entry) => entry.path));
    const directories = [...new Set([place.cwd, ""])];
    const files = directories.flatMap((at) => named.map((name) => (at === "" ? name : `${at}/${name}`)));
    const found = files.find((file) => paths.has(file));
    if (found === undefined) continue;
    throw new TrueupError("lockfile-unsupported", {
      subject: found,
      detail: "python packages are not installed by this version; pytest runs with what the machine's python3 has",
      hint: "Judge tests that need nothing but pytest and the repository itself.",
    });
  }
}
