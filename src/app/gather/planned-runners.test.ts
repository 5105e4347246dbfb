import { describe, expect, test } from "vitest";
import type { AcceptanceContract } from "../../core/contract/index.ts";
import type { LockedVersions, TreeReader } from "../../ports/index.ts";
import { planRunners, refuseLockedRunners } from "./planned-runners.ts";

function treeOf(files: Readonly<Record<string, string>>): TreeReader {
  const bytes = (path: string): Uint8Array | null =>
    files[path] === undefined ? null : new TextEncoder().encode(files[path]);
  return {
    tree: "t",
    entries: Object.keys(files).map((path) => ({ path, mode: "100644", id: "0", size: 1 })),
    read: (path) => Promise.resolve(bytes(path)),
  };
}

const manifest = JSON.stringify({ scripts: { test: "vitest run", compound: "tsc && vitest run" } });
const tree = treeOf({ "package.json": manifest, "web/a.test.ts": "" });
const tests = (command: string, cwd?: string): AcceptanceContract => ({
  tests: [{ command, passed: 1, ...(cwd === undefined ? {} : { cwd }) }],
});

async function judge(contract: AcceptanceContract | null, locked: LockedVersions): Promise<void> {
  refuseLockedRunners(await planRunners(tree, contract), locked);
}

describe("runners are refused before anything is fetched for them", () => {
  test.each([
    ["a runner that this version does not know", "npx jest a.test.js", "5.1.2", "runner-unknown"],
    ["a version that cannot be witnessed", "npx vitest run", "2.1.9", "runner-unsupported"],
    ["a script that comes down to such a version", "npm test", "2.1.9", "runner-unsupported"],
    ["a runner that no lockfile installs", "npx vitest run", null, "runner-not-installed"],
    ["a script whose flags would reach another program", "npm run compound", "5.1.2", "contract-invalid"],
    ["a script that is not there", "npm run absent", "5.1.2", "contract-invalid"],
  ])("[D7] %s", async (_name, command, version, code) => {
    await expect(judge(tests(command), () => version)).rejects.toMatchObject({ code });
  });

  test("a known version, and a contract without tests, go on", async () => {
    await expect(judge(tests("npm test"), () => "3.2.4")).resolves.toBeUndefined();
    await expect(judge({ commands: [{ command: "npm run lint" }] }, () => null)).resolves.toBeUndefined();
    await expect(judge(null, () => null)).resolves.toBeUndefined();
  });

  test("the version is looked up from the directory that the tests run in", async () => {
    const asked: string[] = [];
    const locked: LockedVersions = (cwd, name) => {
      asked.push(`${cwd}:${name}`);
      return "4.0.8";
    };
    await judge(tests("npx vitest run a.test.ts", "./web/"), locked);
    expect(asked).toEqual(["web:vitest"]);
  });

  test("a runner that another package has is refused with that package's name", async () => {
    await expect(judge(tests("npx vitest run a.test.ts"), () => null)).rejects.toMatchObject({
      message: expect.stringContaining("a.test.ts is a file of web") as string,
      hint: 'Set `cwd` of the tests entry to "web".',
    });
  });
});
