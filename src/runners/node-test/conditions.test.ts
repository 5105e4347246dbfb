import { describe, expect, it } from "vitest";
import type { InitMessage, StartMessage } from "../../core/test-report/index.ts";
import { readNodeTestConditions } from "./conditions.ts";

const init = (settings: Record<string, unknown> | null, name = "node-test"): InitMessage => ({
  type: "init",
  version: 1,
  runner: { name, version: "24.0.0" },
  projects: settings === null ? [] : [settings],
});
const start = (pool: string | null): StartMessage => ({
  type: "start",
  modules: [{ project: "", file: "/repo/a.test.js", pool }],
});
const alone = { isolation: "process", nodeOptions: null };

describe("readNodeTestConditions", () => {
  it("a process for each file is isolation; assertions are never required", () => {
    const conditions = readNodeTestConditions(init(alone), start("process"));
    expect(conditions).toEqual({ faults: [], assertionsRequired: false, roots: [] });
  });

  it.each([
    ["files that share the runner's process", init({ ...alone, isolation: "none" }), start("process")],
    ["a file that was not seen to start in its own process", init(alone), start(null)],
    ["options from the environment", init({ ...alone, nodeOptions: "--require ./x.cjs" }), start("process")],
    ["settings that cannot be read", init({ isolation: 1 }), start("process")],
    ["no settings", init(null), start("process")],
    ["another runner", init(alone, "vitest"), start("process")],
  ])("[E12] %s is a fault", (_name, first, second) => {
    const { faults } = readNodeTestConditions(first, second);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every((fault) => fault.code === "isolation-not-seen")).toBe(true);
  });
});
