import { errorTable, type ErrorCode, type ErrorRow } from "./error-table.ts";

export type { ErrorCode } from "./error-table.ts";

/** Why a `TrueupError` was thrown; decides the exit code (`exitCodeOf`). */
export type ErrorCategory = "usage" | "configuration" | "environment" | "integrity" | "interrupted";

/** What a caller may add to the table's words: the subject, the cause, more detail. */
export interface ErrorDetail {
  /** What the error is about: a path, a key, a command. Shown after the message. */
  readonly subject?: string;
  /** One more sentence: what was seen. */
  readonly detail?: string;
  /** Replaces the table's hint where the remedy depends on the case. */
  readonly hint?: string;
  readonly cause?: unknown;
}

const secretPatterns: readonly RegExp[] = [
  /\b(?:gh[pousr]_|github_pat_|glpat-|sk-|xox[abprs]-|npm_)[A-Za-z0-9_-]{16,}/gu,
  /(?<=\/\/)[^/@\s:]+:[^/@\s]+(?=@)/gu,
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/-]{8,}=*/giu,
];

/** Replaces what looks like a credential in free text by `[redacted]`. */
export function withoutSecrets(text: string): string {
  return secretPatterns.reduce((kept, pattern) => kept.replace(pattern, "[redacted]"), text);
}

/** An expected failure of usage, configuration, environment or integrity: what, why, what to do. */
export class TrueupError extends Error {
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly retryable: boolean;
  readonly hint: string;
  readonly subject: string | undefined;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, more: ErrorDetail = {}) {
    const row: ErrorRow = errorTable[code];
    const subject = more.subject === undefined ? undefined : withoutSecrets(more.subject);
    const detail = more.detail === undefined ? undefined : withoutSecrets(more.detail);
    const words = [
      row.message,
      subject === undefined ? "" : `: ${subject}`,
      detail === undefined ? "" : ` (${detail})`,
    ];
    super(words.join(""), more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "TrueupError";
    this.code = code;
    this.category = row.category;
    this.retryable = row.retryable ?? false;
    this.hint = withoutSecrets(more.hint ?? row.hint);
    this.subject = subject;
    this.detail = detail;
  }
}

/** The process exit code for an error: 130 interrupted, 3 what could not be determined, else 2. */
export function exitCodeOf(error: TrueupError): 2 | 3 | 130 {
  if (error.category === "interrupted") return 130;
  return error.category === "integrity" ? 3 : 2;
}
