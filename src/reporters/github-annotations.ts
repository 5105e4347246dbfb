import type { PublishedFinding, PublishedResult } from "./published-result.ts";
import { cutText, visibleText } from "./visible-text.ts";

const commands: Readonly<Record<PublishedFinding["severity"], "error" | "warning" | "notice">> = {
  block: "error",
  undetermined: "error",
  warn: "warning",
  info: "notice",
};
/** A step shows ten of each kind; more only fill the log. */
const most = 50;

/** One workflow command a finding, and a last line with the headline. Nothing foreign can end a command or begin another. */
export function renderGithubAnnotations(result: PublishedResult): string {
  const lines = result.findings.slice(0, most).map((one) => {
    const about = one.about === "" ? one.title : `${one.title}: ${one.about}`;
    // A job that nobody asked for a contract may pass without one: that is no error of the change.
    const command = one.code === "unchecked" ? "warning" : commands[one.severity];
    return workflowCommand(command, placed(one), `${about}. ${one.hint}`);
  });
  const left = result.findings.length - most;
  const more = left > 0 ? [workflowCommand("notice", { title: "trueup" }, `and ${left} more findings`)] : [];
  const whole = result.outcome === "passed" ? "notice" : result.outcome === "unchecked" ? "warning" : "error";
  return `${[...lines, ...more, workflowCommand(whole, { title: "trueup" }, result.headline)].join("\n")}\n`;
}

/** One workflow command of GitHub Actions, on one line, with every value escaped. */
export function workflowCommand(
  name: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string>>,
  text: string,
): string {
  const written = Object.entries(properties)
    .map(([key, value]) => `${key}=${escapeProperty(value)}`)
    .join(",");
  return `::${name}${written === "" ? "" : ` ${written}`}::${escapeData(text)}`;
}

function placed({ code, place }: PublishedFinding): Readonly<Record<string, string>> {
  const title = `trueup: ${code}`;
  if (place === null) return { title };
  return { file: place.path, ...(place.line === null ? {} : { line: String(place.line) }), title };
}

function escapeData(text: string): string {
  return visibleText(cutText(text, 1000)).replace(/%/gu, "%25");
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/gu, "%3A").replace(/,/gu, "%2C");
}
