import { describe, expect, it } from "vitest";
import type { InitMessage } from "../../core/test-report/index.ts";
import { readPytestConditions } from "./conditions.ts";

const good = { python: "3.11.2", isolated: true, workers: false, configFile: "/repo/pytest.ini" };
const init = (settings: Record<string, unknown> | null, name = "pytest"): InitMessage => ({
  type: "init",
  version: 1,
  runner: { name, version: "9.0.3" },
  projects: settings === null ? [] : [settings],
});

describe("readPytestConditions", () => {
  it("the configuration file steers the run; assertions are never required", () => {
    expect(readPytestConditions(init(good))).toEqual({
      faults: [],
      assertionsRequired: false,
      roots: ["/repo/pytest.ini"],
    });
  });

  it.each([
    ["a python that the environment could steer", init({ ...good, isolated: false })],
    ["tests spread over workers", init({ ...good, workers: true })],
    ["settings that cannot be read", init({ ...good, more: 1 })],
    ["no settings", init(null)],
    ["another runner", init(good, "vitest")],
  ])("[E12] %s is a fault", (_name, message) => {
    const { faults } = readPytestConditions(message);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.every((fault) => fault.code === "isolation-not-seen")).toBe(true);
  });
});
