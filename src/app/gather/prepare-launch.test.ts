import { expect, test } from "vitest";
import { witnessMount } from "./prepare-launch.ts";

test("the reporter lies where vite leaves modules to node, so that no plug-in of the repository rewrites it", () => {
  expect(witnessMount.split("/")).toContain("node_modules");
  expect(witnessMount.startsWith("/repo")).toBe(false);
});
