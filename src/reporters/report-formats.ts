import { renderCtrf } from "./ctrf.ts";
import { renderGithubAnnotations } from "./github-annotations.ts";
import { renderGithubSummary } from "./github-summary.ts";
import { renderJunit } from "./junit.ts";
import type { PublishedResult, ToolWords } from "./published-result.ts";
import { renderSarif } from "./sarif.ts";

const renderers = {
  sarif: renderSarif,
  junit: renderJunit,
  ctrf: renderCtrf,
  "github-summary": renderGithubSummary,
  "github-annotations": renderGithubAnnotations,
} as const satisfies Record<string, (result: PublishedResult, tool: ToolWords) => string>;

export type ReportFormat = keyof typeof renderers;

/** Every format of `--report`, as it is typed. */
export const reportFormats = Object.keys(renderers) as readonly ReportFormat[];

/** A result in one of the formats; the same result gives the same bytes. */
export function renderReport(format: ReportFormat, result: PublishedResult, tool: ToolWords): string {
  return renderers[format](result, tool);
}
