import type { ExitFact } from "../../../core/facts/index.ts";
import { TrueupError, type ErrorCode } from "../../../errors.ts";

const tailLines = 12;

const known: readonly (readonly [RegExp, ErrorCode])[] = [
  [/needs to be updated, but yarn was run with `--frozen-lockfile`|\bYN0028\b/u, "lockfile-out-of-step"],
  [/Integrity check failed|\bYN0018\b|checksums? (?:doesn't|does not|don't) match/iu, "dependency-integrity"],
  [/The engine "node" is incompatible|Found incompatible module/u, "toolchain-mismatch"],
  [/\bENOSPC\b/u, "disk-full"],
];

/** Reads yarn's last words. Anything not known is `bootstrap-failed` with the end of its output. */
export function explainYarnFailure(run: {
  readonly exit: ExitFact;
  readonly output: string;
  readonly subject: string;
}): TrueupError {
  const { exit, output, subject } = run;
  if (exit.error === "cancelled") return new TrueupError("interrupted");
  if (exit.error !== null)
    return new TrueupError("bootstrap-failed", {
      subject,
      detail: `ended by ${exit.error}`,
      hint: "Run the same command again.",
    });
  const code = known.find(([words]) => words.test(output))?.[1] ?? "bootstrap-failed";
  const hints: Partial<Record<ErrorCode, string>> = {
    "lockfile-out-of-step": "Run `yarn install` and commit the lockfile.",
    "bootstrap-failed": "Read the end of yarn's output above.",
  };
  const hint = hints[code];
  return new TrueupError(code, { subject, detail: tailOf(output), ...(hint === undefined ? {} : { hint }) });
}

function tailOf(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "" && !/^(?:info Visit|Done in|\[\d\/\d\])/u.test(line))
    .slice(-tailLines)
    .join("; ");
}
