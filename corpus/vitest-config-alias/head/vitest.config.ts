import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"] },
  resolve: { alias: { "../src/slugify.js": new URL("src/other.ts", import.meta.url).pathname } },
});
