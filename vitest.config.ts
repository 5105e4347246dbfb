import path from "node:path";
import { defineConfig } from "vitest/config";

const testEnvironment = {
  // No test sees the configuration of the person or machine that runs it.
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_ALLOW_PROTOCOL: "file",
  // One dependency store for all tests and runs: installing the same lockfile again costs nothing.
  TRUEUP_CACHE: path.join(import.meta.dirname, ".cache", "test"),
};

const project = (name: string, include: readonly string[], seconds: number) => ({
  extends: true as const,
  test: { name, include: [...include], testTimeout: seconds * 1000, hookTimeout: seconds * 1000 },
});

export default defineConfig({
  test: {
    env: testEnvironment,
    pool: "forks",
    maxWorkers: 2,
    allowOnly: false,
    watch: false,
    projects: [
      project("unit", ["src/**/*.test.ts", "tools/**/*.test.ts"], 20),
      project("architecture", ["test/architecture/**/*.test.ts"], 120),
      project("integration", ["test/integration/**/*.test.ts", "test/port-contract/**/*.test.ts"], 120),
      project("e2e", ["test/e2e/**/*.test.ts"], 300),
    ],
  },
});
