import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { sha256, type Digest } from "../../../core/digest.ts";
import type { SandboxMount } from "../../../ports/index.ts";
import { findPrograms } from "./path-programs.ts";

const answerSchema = z.strictObject({
  /** Not resolved further: a virtual environment is known by where its interpreter is called from. */
  binary: z.string().startsWith("/"),
  version: z.string().min(1),
  /** Where its own and its base's libraries lie. */
  prefixes: z.array(z.string().startsWith("/")),
  pytest: z.string().nullable(),
  /** `name==version` of everything installed beside it, sorted. */
  packages: z.array(z.string()),
});

/** A python of this machine that has pytest. */
export interface FoundPython {
  readonly binary: string;
  readonly version: string;
  readonly pytestVersion: string;
  /** Digest of the names and versions of all that is installed beside it. */
  readonly packages: Digest;
  /** Read-only, at the same places inside; what lies under `/usr` is there anyway. */
  readonly mounts: readonly SandboxMount[];
}

const probeTimeoutMs = 20_000;
const question = `
import importlib.metadata, json, sys
packages = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
print(json.dumps({"binary": sys.executable, "version": sys.version.split()[0], "prefixes": [sys.prefix, sys.base_prefix],
  "pytest": packages.get("pytest"), "packages": sorted(f"{name}=={version}" for name, version in packages.items())}))
`;
const run = promisify(execFile);

/**
 * The first python 3 on the PATH that has pytest, or null. Asked isolated and outside every repository. An environment
 * that lies in a checkout is passed over: whoever writes there could have written it.
 */
export async function findPython(
  searchPath: string,
  options: { readonly ownPackageRoot: string; readonly home: string | undefined },
): Promise<FoundPython | null> {
  for (const name of ["python3", "python"]) {
    for (const { path } of await findPrograms(name, searchPath, options.ownPackageRoot)) {
      const found = await askPython(path, options.home);
      if (found !== null) return found;
    }
  }
  return null;
}

async function askPython(path: string, home: string | undefined): Promise<FoundPython | null> {
  const env = { PATH: `${dirname(path)}:/usr/bin:/bin`, ...(home === undefined ? {} : { HOME: home }) };
  try {
    const { stdout } = await run(path, ["-I", "-B", "-c", question], { cwd: "/", env, timeout: probeTimeoutMs });
    const answer = answerSchema.parse(JSON.parse(stdout));
    if (answer.pytest === null || (await liesInCheckout(answer.prefixes))) return null;
    return {
      binary: answer.binary,
      version: answer.version,
      pytestVersion: answer.pytest,
      packages: sha256(answer.packages.join("\n")),
      mounts: mountsOf(answer.prefixes),
    };
  } catch {
    // What does not answer as a python 3 does is not a candidate.
    return null;
  }
}

async function liesInCheckout(prefixes: readonly string[]): Promise<boolean> {
  const marks = await Promise.all(prefixes.map((prefix) => stat(join(dirname(prefix), ".git")).catch(() => null)));
  return marks.some((mark) => mark !== null);
}

function mountsOf(prefixes: readonly string[]): readonly SandboxMount[] {
  const elsewhere = [...new Set(prefixes)].filter((prefix) => !`${prefix}/`.startsWith("/usr/"));
  return elsewhere.map((prefix) => ({ kind: "read-only", source: prefix, target: prefix }));
}
