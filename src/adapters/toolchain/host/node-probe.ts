import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { digestOf } from "../../../core/digest.ts";

const probeSchema = z.strictObject({
  /** The real binary, also where the program on the PATH is a launcher of a version manager. */
  binary: z.string().startsWith("/"),
  /** Without the `v`. */
  version: z.string().regex(/^\d+\.\d+\.\d+/u),
  /** `NODE_MODULE_VERSION`. */
  abi: z.string().regex(/^\d+$/u),
});

/** What a node binary says of itself. */
export type ProbedNode = z.infer<typeof probeSchema>;

const probeTimeoutMs = 20_000;
const question = "JSON.stringify([process.versions.node, process.versions.modules, process.execPath])";
const run = promisify(execFile);

/**
 * What a node says of its version and ABI, asked outside every repository and with a bare environment; null when it
 * does not answer. A real binary is asked once as long as its file stays the same, a launcher every time.
 */
export async function probeNode(
  path: string,
  options: { readonly home: string | undefined; readonly cacheDirectory: string },
): Promise<ProbedNode | null> {
  const file = await realpath(path);
  const { size, mtimeMs, ino } = await stat(file);
  const key = digestOf([1, file, size, mtimeMs, ino]).slice("sha256:".length);
  const remembered = join(options.cacheDirectory, "toolchains", "probes", `${key}.json`);
  const known = await readProbe(remembered);
  if (known?.binary === file) return known;
  const probe = await askNode(path, options.home);
  if (probe?.binary === file) await remember(remembered, probe);
  return probe;
}

async function askNode(path: string, home: string | undefined): Promise<ProbedNode | null> {
  const env = { PATH: `${dirname(path)}:/usr/bin:/bin`, ...(home === undefined ? {} : { HOME: home }) };
  try {
    const { stdout } = await run(path, ["-p", question], { cwd: "/", env, timeout: probeTimeoutMs });
    const [version, abi, execPath] = z.tuple([z.string(), z.string(), z.string()]).parse(JSON.parse(stdout));
    return probeSchema.parse({ binary: await realpath(execPath), version, abi });
  } catch {
    // What does not answer as node does is not a candidate; the caller reports when none is left.
    return null;
  }
}

async function readProbe(file: string): Promise<ProbedNode | null> {
  try {
    return probeSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

/** By a rename, so that no other process reads half of it. A cache that cannot be written costs time and nothing else. */
async function remember(file: string, probe: ProbedNode): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(probe), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    return;
  }
}
