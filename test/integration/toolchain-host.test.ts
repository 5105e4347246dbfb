import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHostToolchain } from "../../src/adapters/toolchain/host/host-toolchain.ts";
import type { ResolvedToolchain, ToolchainWishes } from "../../src/ports/index.ts";

let root: string;
const none: ToolchainWishes = { node: null, nodeVersionFile: null, packageManager: null };

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "trueup-toolchain-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A program that answers as a node of that version does, and leaves a trace when it ran. */
async function writeNode(directory: string, version: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const file = path.join(directory, "node");
  await writeFile(file, `#!/bin/sh\ntouch "${file}.ran"\necho '["${version}","127","${file}"]'\n`);
  await chmod(file, 0o755);
  return file;
}

async function writeNpm(prefix: string, version: string, engine: string): Promise<void> {
  const npm = path.join(prefix, "lib", "node_modules", "npm");
  await mkdir(path.join(npm, "bin"), { recursive: true });
  await mkdir(path.join(npm, "node_modules"));
  await writeFile(path.join(npm, "package.json"), JSON.stringify({ name: "npm", version, engines: { node: engine } }));
  await writeFile(path.join(npm, "bin", "npm-cli.js"), "");
  await chmod(path.join(npm, "bin", "npm-cli.js"), 0o755);
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", path.join(prefix, "bin", "npm"));
}

function resolve(searchPath: readonly string[], wishes: Partial<ToolchainWishes> = {}): Promise<ResolvedToolchain> {
  const environment = { PATH: searchPath.join(path.delimiter), NODE_OPTIONS: "--require=/nowhere" };
  return createHostToolchain({
    environment,
    cacheDirectory: path.join(root, "cache"),
    ownPackageRoot: path.join(root, "own"),
  }).resolve({ ...none, ...wishes });
}

describe("the host's toolchain", () => {
  test("the first node on the PATH that fits is taken, copied execute-only, with its npm", async () => {
    await writeNode(path.join(root, "old", "bin"), "18.20.1");
    await writeNode(path.join(root, "new", "bin"), "23.4.5");
    await writeNpm(path.join(root, "new"), "10.9.0", ">=20");
    const found = await resolve([path.join(root, "old", "bin"), path.join(root, "new", "bin")], { node: ">=22" });
    expect(found.tools).toEqual([
      { name: "node", version: "23.4.5" },
      { name: "npm", version: "10.9.0" },
    ]);
    expect(found.npmCli).toBe("/opt/trueup/npm/bin/npm-cli.js");
    const programs = found.mounts.find((mount) => mount.target === "/opt/trueup/bin");
    const source = programs?.kind === "read-only" ? programs.source : "";
    expect((await stat(path.join(source, "node"))).mode & 0o7777).toBe(0o111);
    expect((await stat(path.join(source, "npm"))).mode & 0o7777).toBe(0o555);
    expect(found.path).toEqual(["/opt/trueup/bin"]);
  });

  test("without a wish the first one is taken, and again from the same copy", async () => {
    const searchPath = [path.join(root, "old", "bin"), path.join(root, "new", "bin")];
    const [first, second] = [await resolve(searchPath), await resolve(searchPath)];
    expect(first.nodeVersion).toBe("18.20.1");
    expect(second.mounts).toEqual(first.mounts);
    expect(first.npmVersion).toBeNull();
  });

  test("our own node is the last resort, with its real version and ABI", async () => {
    const found = await resolve([path.join(root, "old", "bin")], { node: `>=${process.versions.node}` });
    expect([found.nodeVersion, found.nodeAbi]).toEqual([process.versions.node, process.versions.modules]);
  });

  test("none fits: what was wanted and what was found", async () => {
    const work = resolve([path.join(root, "old", "bin")], { node: ">=99", nodeVersionFile: "v99.1.0\n" });
    await expect(work).rejects.toMatchObject({ code: "toolchain-mismatch" });
    await expect(work).rejects.toThrow(/node >=99 and v99\.1\.0 .*18\.20\.1 at .*engines\.node wants >=99/u);
  });

  test("a node that a repository or an agent put on the PATH is never run by the executor", async () => {
    const planted = [
      await writeNode(path.join(root, "repo", "node_modules", ".bin"), "24.0.0"),
      await writeNode(path.join(root, "own", "tools"), "24.0.0"),
    ];
    await symlink(path.join(root, "repo", "node_modules", ".bin"), path.join(root, "innocent"));
    const found = await resolve([
      ...planted.map((file) => path.dirname(file)),
      path.join(root, "innocent"),
      ".",
      "",
      path.join(root, "old", "bin"),
    ]);
    expect(found.nodeVersion).toBe("18.20.1");
    for (const file of planted) await expect(stat(`${file}.ran`)).rejects.toThrow();
  });

  test("a program that does not answer as node does is passed over", async () => {
    const directory = path.join(root, "broken", "bin");
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, "node"), "#!/bin/sh\necho hello\n", { mode: 0o755 });
    expect((await resolve([directory, path.join(root, "old", "bin")])).nodeVersion).toBe("18.20.1");
  });
});
