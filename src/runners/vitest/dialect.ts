import { z } from "zod";
import { repositoryPath, type RunnerReport } from "../../core/test-report/index.ts";

const byteLimit = 64 * 1024 * 1024;
const depthLimit = 200;
const number = z.number();

/** vitest's own JSON report, the parts that are compared; it is Jest's shape, and grows between versions. */
const reportShape = z.looseObject({
  numTotalTests: number,
  numPassedTests: number,
  numFailedTests: number,
  success: z.boolean(),
  testResults: z.array(
    z.looseObject({
      name: z.string(),
      status: z.enum(["passed", "failed"]),
      assertionResults: z.array(
        z.looseObject({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.enum(["passed", "failed", "skipped", "pending", "todo", "disabled"]),
        }),
      ),
    }),
  ),
});

/** True when brackets outside strings nest deeper than the limit; a report nested so deep was not made by vitest. */
function tooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > depthLimit) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}

function parseJson(bytes: Uint8Array): { readonly value: unknown } | string {
  if (bytes.length === 0) return "the report is empty";
  if (bytes.length > byteLimit) return `the report has ${bytes.length} bytes (limit ${byteLimit})`;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (tooDeep(text)) return `the report nests deeper than ${depthLimit}`;
    return { value: JSON.parse(text) };
  } catch {
    return "the report is not whole JSON";
  }
}

/** Decodes vitest's JSON report. `root` is the repository inside the sandbox. A string says why it cannot be read. */
export function decodeVitestJson(bytes: Uint8Array, root: string): RunnerReport | string {
  const json = parseJson(bytes);
  if (typeof json === "string") return json;
  const parsed = reportShape.safeParse(json.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `the report is not vitest's: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim();
  }
  const report = parsed.data;
  return {
    cases: report.testResults.flatMap((file) =>
      file.assertionResults.map((item) => ({
        file: repositoryPath(root, file.name),
        suite: item.ancestorTitles,
        title: item.title,
        state: item.status === "disabled" ? ("skipped" as const) : item.status,
      })),
    ),
    failedFiles: report.testResults
      .filter((file) => file.status === "failed")
      .map((file) => repositoryPath(root, file.name)),
    header: {
      total: report.numTotalTests,
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      success: report.success,
    },
  };
}
