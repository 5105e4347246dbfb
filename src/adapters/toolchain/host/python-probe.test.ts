import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPython } from "./python-probe.ts";

describe("findPython", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "trueup-python-"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** A directory with a `python3` that answers with that text. */
  async function program(name: string, answer: unknown): Promise<string> {
    const directory = path.join(root, name);
    await mkdir(directory, { recursive: true });
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    await writeFile(path.join(directory, "python3"), `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`);
    await chmod(path.join(directory, "python3"), 0o755);
    return directory;
  }
  const answer = (prefix: string, pytest: string | null) => ({
    binary: `${prefix}/bin/python3`,
    version: "3.11.2",
    prefixes: [prefix, "/usr"],
    pytest,
    packages: ["pluggy==1.0.0"],
  });
  const find = (...directories: string[]) =>
    findPython(directories.join(":"), { ownPackageRoot: "/nowhere", home: undefined });

  it("takes the first that has pytest, and binds what does not lie under /usr at its own place", async () => {
    const none = await program("none", answer("/opt/none", null));
    const good = await program("good", answer("/opt/good", "8.1.0"));
    const found = await find(none, good);
    expect(found).toMatchObject({ binary: "/opt/good/bin/python3", version: "3.11.2", pytestVersion: "8.1.0" });
    expect(found?.mounts).toEqual([{ kind: "read-only", source: "/opt/good", target: "/opt/good" }]);
  });

  it("passes over an environment inside a checkout, which an agent could have written", async () => {
    const checkout = path.join(root, "checkout");
    await mkdir(path.join(checkout, ".git"), { recursive: true });
    expect(await find(await program("inside", answer(path.join(checkout, ".venv"), "8.1.0")))).toBeNull();
  });

  it.each([
    ["no JSON", "python 2.7"],
    ["another shape", { binary: "python3" }],
    ["a binary without a place", { ...answer("/opt/x", "8.1.0"), binary: "" }],
  ])("passes over one that answers with %s", async (name, text) => {
    expect(await find(await program(name.replaceAll(" ", "-"), text))).toBeNull();
  });
});
