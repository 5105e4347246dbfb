import { describe, expect, it } from "vitest";
import type { InitMessage, StartMessage } from "../../core/test-report/index.ts";
import { readJestConditions } from "./conditions.ts";

const project = {
  name: "",
  root: "/repo",
  runner: "/repo/node_modules/jest-runner/build/index.js",
  testRunner: "/repo/node_modules/jest-circus/build/runner.js",
  workerThreads: false,
  detectOpenHandles: false,
  bail: 0,
  passWithNoTests: false,
  requireAssertions: true,
  files: ["/repo/setup.js"],
};
const init = (...projects: readonly Record<string, unknown>[]): InitMessage => ({
  type: "init",
  version: 1,
  runner: { name: "jest", version: "30.5.2" },
  projects: [...projects],
});
const start = (pool: string | null): StartMessage => ({
  type: "start",
  modules: [{ project: "", file: "/repo/a.test.js", pool }],
});

describe("what jest's first words prove", () => {
  it("a run in worker processes has no fault, and names the files that decided how", () => {
    expect(readJestConditions(init(project), start("process"))).toEqual({
      faults: [],
      assertionsRequired: true,
      roots: ["/repo/setup.js"],
    });
  });

  it.each<[string, InitMessage, StartMessage | null]>([
    ["a file in jest's own process", init(project), start("main")],
    ["a file whose process is not known", init(project), start(null)],
    ["worker threads", init({ ...project, workerThreads: true }), null],
    ["open handles detected, which runs in jest's process", init({ ...project, detectOpenHandles: true }), null],
    [
      "another runner of files",
      init({ ...project, runner: "/repo/node_modules/jest-light-runner/src/index.js" }),
      null,
    ],
    ["a runner of files of the repository", init({ ...project, runner: "/repo/runner.js" }), null],
    ["no runner of files", init({ ...project, runner: null }), null],
    ["no project", init(), null],
    ["a project that cannot be read", init({ ...project, more: 1 }), null],
    ["another runner", { ...init(project), runner: { name: "vitest", version: "5.1.2" } }, null],
  ])("[E7] %s is a fault", (_name, message, started) => {
    expect(readJestConditions(message, started).faults[0]?.code).toBe("isolation-not-seen");
  });

  it("assertions count as asked for only where every project was asked", () => {
    const message = init(project, { ...project, name: "b", requireAssertions: false });
    expect(readJestConditions(message, null).assertionsRequired).toBe(false);
  });
});
