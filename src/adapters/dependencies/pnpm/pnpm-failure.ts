import type { ExitFact } from "../../../core/facts/index.ts";
import { TrueupError, type ErrorCode } from "../../../errors.ts";

const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_PNPM_OUTDATED_LOCKFILE: "lockfile-out-of-step",
  ERR_PNPM_LOCKFILE_CONFIG_MISMATCH: "lockfile-out-of-step",
  ERR_PNPM_FROZEN_LOCKFILE_WITH_OUTDATED_LOCKFILE: "lockfile-out-of-step",
  ERR_PNPM_LOCKFILE_MISSING_DEPENDENCY: "lockfile-out-of-step",
  ERR_PNPM_NO_LOCKFILE: "lockfile-missing",
  ERR_PNPM_LOCKFILE_BREAKING_CHANGE: "lockfile-unsupported",
  ERR_PNPM_BROKEN_LOCKFILE: "lockfile-invalid",
  ERR_PNPM_TARBALL_INTEGRITY: "dependency-integrity",
  ERR_PNPM_UNSUPPORTED_ENGINE: "toolchain-mismatch",
};

const tailLines = 12;

/** Reads pnpm's last words. Anything not known is `bootstrap-failed` with the end of its output. */
export function explainPnpmFailure(run: {
  readonly exit: ExitFact;
  readonly output: string;
  readonly subject: string;
}): TrueupError {
  const { exit, output, subject } = run;
  if (exit.error === "cancelled") return new TrueupError("interrupted");
  const code = /\b(ERR_PNPM_[A-Z_]+)\b/u.exec(output)?.[1] ?? "";
  const known = exit.error === null ? codes[code] : undefined;
  const detail = exit.error === null ? tailOf(output) : `ended by ${exit.error}`;
  if (known === "lockfile-out-of-step")
    return new TrueupError(known, { subject, detail, hint: "Run `pnpm install` and commit the lockfile." });
  if (known !== undefined) return new TrueupError(known, { subject, detail });
  if (/\bENOSPC\b/u.test(output)) return new TrueupError("disk-full", { subject });
  return new TrueupError("bootstrap-failed", { subject, detail, hint: "Read the end of pnpm's output above." });
}

/** The last lines of an output that say something, as one line. */
function tailOf(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !line.startsWith("Progress:"))
    .slice(-tailLines)
    .join("; ");
}
