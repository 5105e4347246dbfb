import { sha256 } from "../core/digest.ts";
import type { PublishedFinding, PublishedResult, ToolWords } from "./published-result.ts";
import { jsonReport } from "./escape-terminal.ts";
import { cutText, visibleText } from "./visible-text.ts";

/** Where findings without a file are shown: hosts that list results want a place in the repository for each. */
const contractPath = ".trueup/contract.json";

const levels: Readonly<Record<PublishedFinding["severity"], "error" | "warning" | "note">> = {
  block: "error",
  undetermined: "error",
  warn: "warning",
  info: "note",
};

/** A SARIF 2.1.0 log with one run: a rule for each code that was found, a result for each finding. */
export function renderSarif(result: PublishedResult, tool: ToolWords): string {
  const codes = [...new Set(result.findings.map(({ code }) => code))];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Trueup",
            version: tool.version,
            semanticVersion: tool.version,
            rules: codes.map((code) => ruleOf(code, result.findings)),
          },
        },
        automationDetails: { id: "trueup/" },
        // The tool ran to its end and says so; what it says stands in `properties`.
        invocations: [{ executionSuccessful: true }],
        columnKind: "utf16CodeUnits",
        results: result.findings.map((one) => resultOf(one, codes)),
        properties: { headline: visibleText(result.headline), ...mapText(result.properties) },
      },
    ],
  };
  return jsonReport(log);
}

function ruleOf(code: string, findings: readonly PublishedFinding[]) {
  const first = findings.find((one) => one.code === code);
  return {
    id: visibleText(code),
    shortDescription: { text: message(first?.title ?? code) },
    help: { text: message(first?.hint ?? "") || "Read the report." },
    defaultConfiguration: { level: levels[first?.severity ?? "block"] },
  };
}

function resultOf(one: PublishedFinding, codes: readonly string[]) {
  const words = one.about === "" ? one.title : `${one.title}: ${cutText(one.about, 1000)}`;
  return {
    ruleId: visibleText(one.code),
    ruleIndex: codes.indexOf(one.code),
    level: levels[one.severity],
    message: { text: `${message(words)}. ${message(one.hint)}` },
    locations: [locationOf(one)],
    // Without the line, so that the same finding is known again after code above it moved.
    partialFingerprints: { "trueupFinding/v1": sha256(`${one.code}\0${one.place?.path ?? one.subject}`).slice(7, 39) },
    properties: { severity: one.severity },
  };
}

function locationOf({ place, subject, code }: PublishedFinding) {
  const region = place?.line == null ? {} : { region: { startLine: place.line } };
  const physicalLocation = {
    artifactLocation: { uri: relativeUri(place?.path ?? contractPath), uriBaseId: "%SRCROOT%" },
    ...region,
  };
  if (place !== null) return { physicalLocation };
  return { physicalLocation, logicalLocations: [{ fullyQualifiedName: visibleText(cutText(subject || code, 500)) }] };
}

/** A path as a relative URI: each segment encoded, and never one that a reader takes for a scheme or an absolute path. */
function relativeUri(path: string): string {
  const encoded = path.toWellFormed().split("/").map(encodeURIComponent).join("/");
  return encoded.startsWith("/") ? `.${encoded}` : encoded;
}

/** A foreign text as a SARIF message: nothing in it is a placeholder (`{0}`) or an embedded link (`[text](1)`). */
function message(text: string): string {
  const plain = visibleText(text).replace(/\{(\d+)\}/gu, "{{$1}}");
  return plain.includes("](") ? plain.replace(/[[\]\\]/gu, String.raw`\$&`) : plain;
}

function mapText(properties: PublishedResult["properties"]): Record<string, string> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, visibleText(value)]));
}
