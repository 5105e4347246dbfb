export { collectTexts, isLintable, isTestPath, lintFile, newHits } from "./lint-file.ts";
