import type { ReportContent } from "../core/test-report/index.ts";
import { isJestReport, jestContent } from "./jest/dialect.ts";
import { isMixedJunit, junitContent } from "./junit/dialect.ts";
import { isNodeTestJunit, nodeTestContent } from "./node-test/dialect.ts";
import { isPytestJunit, pytestContent } from "./pytest/dialect.ts";
import { parseJsonReport } from "./read-json-report.ts";
import { readJunit, type JunitDocument } from "./read-junit.ts";
import { vitestContent } from "./vitest/dialect.ts";

/** Names of the dialects that a report can be read as. */
export const reportDialects = ["vitest", "jest", "node-test", "pytest", "junit"] as const;
export type ReportDialect = (typeof reportDialects)[number];

/** What was read, or why nothing can be said of it. */
export type ReportReading =
  | { readonly kind: "read"; readonly content: ReportContent }
  | {
      readonly kind: "unread";
      readonly code: "report-empty" | "report-unreadable" | "runner-unknown" | "runner-differs";
      readonly subject: string;
    };

interface ReadOptions {
  /** The dialect to read it as; null finds it by the report's form. */
  readonly runner: ReportDialect | null;
  /** Absolute path of the repository where the tests ran; cut from file names. */
  readonly root: string;
}

const unread = (code: (ReportReading & { kind: "unread" })["code"], subject: string): ReportReading => ({
  kind: "unread",
  code,
  subject: subject.slice(0, 500),
});

function findJsonDialect(value: unknown): ReportDialect | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Object.hasOwn(value, "numTotalTests") || !Object.hasOwn(value, "testResults")) return null;
  return isJestReport(value) ? "jest" : "vitest";
}

function readJson(bytes: Uint8Array, { runner, root }: ReadOptions): ReportReading {
  const json = parseJsonReport(bytes);
  if (typeof json === "string") return unread("report-unreadable", json);
  const found = findJsonDialect(json.value);
  if (found === null) return unread("runner-unknown", "JSON that is neither vitest's nor jest's report");
  if (runner !== null && runner !== found) return unread("runner-differs", `asked for ${runner}, it is ${found}'s`);
  const content = found === "jest" ? jestContent(json.value, root) : vitestContent(json.value, root);
  return typeof content === "string" ? unread("report-unreadable", content) : { kind: "read", content };
}

function findXmlDialect(document: JunitDocument): "node-test" | "pytest" | "junit" {
  if (isMixedJunit(document)) return "junit";
  if (isNodeTestJunit(document)) return "node-test";
  return isPytestJunit(document) ? "pytest" : "junit";
}

function readXml(bytes: Uint8Array, { runner, root }: ReadOptions): ReportReading {
  const document = readJunit(bytes);
  if (typeof document === "string") return unread("report-unreadable", document);
  if (runner === "vitest" || runner === "jest") {
    return unread("runner-differs", `asked for ${runner}'s JSON, it is XML; --runner junit reads it`);
  }
  const found = runner ?? findXmlDialect(document);
  const read = { "node-test": nodeTestContent, pytest: pytestContent, junit: junitContent }[found];
  return { kind: "read", content: read(document, root) };
}

/** The first byte that is not white space, within the first 64 KiB. */
function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.subarray(0, 65_536).find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}

/** Reads a report of any dialect this version knows. Never throws; what cannot be read is said, never taken as empty. */
export function readReport(bytes: Uint8Array, options: ReadOptions): ReportReading {
  if (bytes.length === 0) return unread("report-empty", "0 bytes");
  const first = firstByte(bytes);
  if (first === undefined) return unread("report-empty", "white space only");
  if (first === 0x3c) return readXml(bytes, options);
  if (first === 0x7b || first === 0x5b) return readJson(bytes, options);
  const refused = parseJsonReport(bytes);
  return typeof refused === "string" && refused !== "the report is not whole JSON"
    ? unread("report-unreadable", refused)
    : unread("runner-unknown", "neither JSON nor XML");
}
