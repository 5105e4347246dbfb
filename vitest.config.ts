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

/** Tests that try every n-th fault or every known attack: part of `npm run test:all`, too long for a newcomer's five minutes. */
const exhaustive = [
  "test/architecture/guards.test.ts",
  "test/architecture/rows.test.ts",
  "test/architecture/runner-folders.test.ts",
  "test/integration/bad-input-disk-full.test.ts",
  "test/integration/bench-gates.test.ts",
  "test/integration/cache-deliveries.test.ts",
  "test/integration/canary.test.ts",
  "test/integration/ci-action.test.ts",
  "test/integration/ci-action-bundle.test.ts",
  "test/integration/ci-command.test.ts",
  "test/integration/corpus-fast.test.ts",
  "test/integration/dependencies-pnpm.test.ts",
  "test/integration/dependencies-registry.test.ts",
  "test/integration/dependencies-store.test.ts",
  "test/integration/dependencies-yarn.test.ts",
  "test/integration/direction-built.test.ts",
  "test/integration/direction.test.ts",
  "test/integration/generated.test.ts",
  "test/integration/held-out.test.ts",
  "test/integration/init-survey.test.ts",
  "test/integration/jest-deliver.test.ts",
  "test/integration/jest-traps.test.ts",
  "test/integration/layers.test.ts",
  "test/integration/mutations.test.ts",
  "test/integration/node-test-traps.test.ts",
  "test/integration/pipeline-cheating-tests.test.ts",
  "test/integration/pipeline-git-attacks.test.ts",
  "test/integration/overrides.test.ts",
  "test/integration/policy.test.ts",
  "test/integration/preflight.test.ts",
  "test/integration/projects.test.ts",
  "test/integration/publish-decisions.test.ts",
  "test/integration/pytest-evidence.test.ts",
  "test/integration/resume-cli.test.ts",
  "test/integration/resume-faults.test.ts",
  "test/integration/services.test.ts",
  "test/integration/standing-contract.test.ts",
  "test/integration/test-report-large.test.ts",
  "test/integration/vitest-classic.test.ts",
  "test/integration/vitest-evidence.test.ts",
  "test/integration/vitest-forgery.test.ts",
  "test/port-contract/store-faults.test.ts",
];

const project = (name: string, seconds: number, files: { include: string[]; exclude?: string[] }) => ({
  extends: true as const,
  test: { name, ...files, testTimeout: seconds * 1000, hookTimeout: seconds * 1000 },
});

export default defineConfig({
  test: {
    env: testEnvironment,
    pool: "forks",
    maxWorkers: 2,
    allowOnly: false,
    watch: false,
    projects: [
      project("unit", 20, { include: ["src/**/*.test.ts", "tools/**/*.test.ts", "bench/**/*.test.ts"] }),
      project("architecture", 120, { include: ["test/architecture/**/*.test.ts"], exclude: exhaustive }),
      project("integration", 120, {
        include: ["test/integration/**/*.test.ts", "test/port-contract/**/*.test.ts"],
        exclude: exhaustive,
      }),
      project("exhaustive", 300, { include: exhaustive }),
      project("e2e", 300, { include: ["test/e2e/**/*.test.ts"] }),
    ],
  },
});
