export { renderAcceptanceJson } from "./acceptance-json.ts";
export { renderMarkdown, renderPullRequestBody, renderPullRequestTitle, type PullRequestExtras } from "./markdown.ts";
export { escapeTerminal, logJson } from "./escape-terminal.ts";
export { renderJson } from "./render-json.ts";
export { latestFailure, renderRecord, renderRecordLine, renderRecordList } from "./record-lines.ts";
export type { Report } from "./report.ts";
export { renderTerminal } from "./terminal.ts";
export { renderTestReport, type ToldReport } from "./test-report.ts";
