import type { TestModule } from "../core/facts/index.ts";
import {
  repositoryPath,
  toRunnerReport,
  type ReportContent,
  type ReportFlaw,
  type RunnerReport,
} from "../core/test-report/index.ts";
import { parseJsonReport } from "./read-json-report.ts";
import { capText } from "./report-bytes.ts";

/** One file of a report in Jest's shape, which vitest writes too. */
export interface JestShapedFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string | null | undefined;
  readonly assertionResults: readonly { readonly status: string; readonly duration?: number | null | undefined }[];
}

/** A file that failed though none of its tests did: it did not load, or a hook threw. */
const nameless = "the file failed, and none of its tests did";

/** The file as a module: errors are the file's own, not those of its tests. */
export function moduleOfFile(file: JestShapedFile, root: string): TestModule {
  const failed = file.status === "failed";
  const own = failed && !file.assertionResults.some((item) => item.status === "failed");
  const { message } = file;
  return {
    project: "",
    file: repositoryPath(root, file.name),
    state: failed ? "failed" : file.status === "passed" ? "passed" : "skipped",
    errors: own ? [message == null || message === "" ? nameless : capText(message)] : [],
  };
}

/** What the files alone show: one without tests, a duration that no clock gives. */
export function fileFlaws(files: readonly JestShapedFile[], root: string): readonly ReportFlaw[] {
  const odd = files.some((file) => file.assertionResults.some((item) => (item.duration ?? 0) < 0));
  return [
    ...files
      .filter((file) => file.assertionResults.length === 0)
      .map((file) => ({ code: "file-reported-nothing", subject: repositoryPath(root, file.name) }) as const),
    ...(odd ? [{ code: "impossible-number", subject: "a duration below zero" } as const] : []),
  ];
}

/** A report in Jest's shape as the second witness reads it. A string says why it cannot be read. */
export function decodeJestShaped(
  bytes: Uint8Array,
  contentOf: (value: unknown) => ReportContent | string,
): RunnerReport | string {
  const json = parseJsonReport(bytes);
  const content = typeof json === "string" ? json : contentOf(json.value);
  if (typeof content === "string") return content;
  const told = (key: string): number => Number(content.header[key]);
  return toRunnerReport(content, {
    total: told("numTotalTests"),
    passed: told("numPassedTests"),
    failed: told("numFailedTests"),
    success: content.success === true,
  });
}
