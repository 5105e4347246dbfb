export { renderAcceptanceJson } from "./acceptance-json.ts";
export { wordsOf, type FindingWords } from "./finding-words.ts";
export { renderMarkdown, renderPullRequestBody, renderPullRequestTitle, type PullRequestExtras } from "./markdown.ts";
export { renderJson } from "./render-json.ts";
export { countChecks, headline, type Report } from "./report.ts";
export { renderTerminal } from "./terminal.ts";
