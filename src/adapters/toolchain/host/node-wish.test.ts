import { describe, expect, test } from "vitest";
import { findMisfit, parseVersionFile, runsOn } from "./node-wish.ts";

describe("parseVersionFile", () => {
  const versions = ["18.20.0", "20.5.3", "22.0.0", "22.11.0", "22.14.1", "23.1.0", "24.1.0"];
  test.each<[string, readonly string[]]>([
    ["22", ["22.0.0", "22.11.0", "22.14.1"]],
    ["v22.11.0\n", ["22.11.0", "22.14.1"]],
    ["22.x", ["22.0.0", "22.11.0", "22.14.1"]],
    ["# comment\n\n20.5 # why", ["20.5.3"]],
    ["lts/jod", ["22.0.0", "22.11.0", "22.14.1"]],
    ["lts/*", versions.filter((each) => each !== "23.1.0")],
    ["node", versions],
    [">=23 <25", ["23.1.0", "24.1.0"]],
  ])("%j accepts %j", (text, expected) => {
    const range = parseVersionFile(text);
    expect(range).not.toBeNull();
    expect(versions.filter((version) => runsOn(range, version))).toEqual(expected);
  });

  test.each([["lts/unheard-of"], ["../../etc/passwd"], ["$(id)"], ["iojs-1"]])("%j is not understood", (text) => {
    expect(parseVersionFile(text)).toBeNull();
  });
});

describe("findMisfit", () => {
  const wishes = (node: string | null, nodeVersionFile: string | null) => ({
    node,
    nodeVersionFile,
    packageManager: null,
  });
  test.each([
    [null, null, "20.1.0"],
    [">=22.12", null, "24.0.0"],
    [">=22.12 <25", "v24.1.0", "24.22.3"],
    ["^20 || >=22", "lts/*", "22.1.0"],
    [">=18", "\n", "18.0.0"],
  ])("engines %s and version file %j take %s", (node, file, version) => {
    expect(findMisfit(wishes(node, file), version)).toBeNull();
  });

  test.each([
    [">=22.12", null, "22.11.9", "engines.node wants >=22.12"],
    ["not a range", null, "22.0.0", "engines.node is not a version range"],
    [null, "v22.11.0", "24.0.0", "the version file wants v22.11.0"],
    [null, "v22.11.0", "22.10.0", "the version file wants v22.11.0"],
    [null, "what", "24.0.0", "the version file is not understood"],
  ])("engines %s and version file %j refuse %s", (node, file, version, reason) => {
    expect(findMisfit(wishes(node, file), version)).toContain(reason);
  });
});
