import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** What a node binary says of itself. */
export interface ProbedNode {
  /** The real binary, also where the program on the PATH is a launcher of a version manager. */
  readonly binary: string;
  /** Without the `v`. */
  readonly version: string;
  /** `NODE_MODULE_VERSION`. */
  readonly abi: string;
}

const probeTimeoutMs = 20_000;
const question = "JSON.stringify([process.versions.node, process.versions.modules, process.execPath])";
const run = promisify(execFile);

/** Asks a node for its version and ABI, outside every repository and with a bare environment; null when it does not answer. */
export async function probeNode(path: string, home: string | undefined): Promise<ProbedNode | null> {
  const env = { PATH: `${dirname(path)}:/usr/bin:/bin`, ...(home === undefined ? {} : { HOME: home }) };
  try {
    const { stdout } = await run(path, ["-p", question], { cwd: "/", env, timeout: probeTimeoutMs });
    const answer: unknown = JSON.parse(stdout);
    if (!Array.isArray(answer)) return null;
    const [version, abi, execPath] = answer.map(String);
    if (version === undefined || abi === undefined || execPath === undefined || !/^\d+\.\d+\.\d+/u.test(version))
      return null;
    return { binary: await realpath(execPath), version, abi };
  } catch {
    // What does not answer as node does is not a candidate; the caller reports when none is left.
    return null;
  }
}
