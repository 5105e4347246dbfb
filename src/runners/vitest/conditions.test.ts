import { describe, expect, it } from "vitest";
import type { InitMessage } from "../../core/test-report/index.ts";
import { readVitestConditions } from "./conditions.ts";

const files = {
  configFile: "/repo/vitest.config.ts",
  configFileDependencies: ["/repo/shared.ts"],
  setupFiles: ["/repo/setup.ts"],
  globalSetup: [],
  runner: null,
  environment: "jsdom",
  snapshotEnvironment: null,
  snapshotSerializers: [],
  diff: null,
  coverageProvider: null,
  typecheckConfig: null,
};
const project = {
  name: "",
  root: "/repo",
  pool: "forks",
  isolate: true,
  forksIsolate: null,
  singleFork: null,
  browser: false,
  retry: 0,
  allowOnly: false,
  passWithNoTests: false,
  dangerouslyIgnoreUnhandledErrors: false,
  requireAssertions: true,
  include: [],
  files,
};
const init = (...projects: Record<string, unknown>[]): InitMessage => ({
  type: "init",
  version: 1,
  runner: { name: "vitest", version: "5.1.2" },
  projects,
});

describe("readVitestConditions", () => {
  it("finds no fault where every project runs its files in processes", () => {
    const conditions = readVitestConditions(init(project), {
      type: "start",
      modules: [{ project: "", file: "a", pool: "forks" }],
    });
    expect(conditions).toEqual({
      faults: [],
      assertionsRequired: true,
      roots: ["/repo/vitest.config.ts", "/repo/shared.ts", "/repo/setup.ts"],
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["threads", { pool: "threads" }],
    ["vmForks", { pool: "vmForks" }],
    ["a pool of its own", { pool: "/repo/pool.ts" }],
    ["no isolation", { isolate: false }],
    ["isolation not said", { isolate: null }],
    ["no isolation in vitest 3's forks", { forksIsolate: false }],
    ["one fork for all files", { singleFork: true }],
    ["a browser", { browser: true }],
    ["unhandled errors ignored", { dangerouslyIgnoreUnhandledErrors: true }],
    ["settings that cannot be read", { pool: 1 }],
  ])("%s is isolation-not-seen", (_name, more) => {
    const { faults } = readVitestConditions(init(project, { ...project, name: "other", ...more }), null);
    expect(faults.map((fault) => fault.code)).toEqual(["isolation-not-seen"]);
  });

  it("one file in another pool is isolation-not-seen, whatever the project says", () => {
    const start = { type: "start", modules: [{ project: "", file: "/repo/a.test.ts", pool: "threads" }] } as const;
    expect(readVitestConditions(init(project), { ...start, modules: [...start.modules] }).faults).toHaveLength(1);
  });

  it("no project at all is isolation-not-seen", () => {
    expect(readVitestConditions(init(), null).faults).toHaveLength(1);
  });

  it("a project that does not require assertions is said", () => {
    expect(readVitestConditions(init(project, { ...project, requireAssertions: null }), null).assertionsRequired).toBe(
      false,
    );
  });

  it("a custom environment's file is a root, a built-in's name is not", () => {
    const roots = readVitestConditions(
      init({ ...project, files: { ...files, environment: "./env/db.ts" } }),
      null,
    ).roots;
    expect(roots).toContain("/repo/env/db.ts");
    expect(roots).not.toContain("jsdom");
  });
});
