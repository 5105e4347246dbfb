import type { ExitFact } from "../../../core/facts/index.ts";
import type { ErrorCode, ErrorDetail } from "../../../errors.ts";

/** What a failed npm run means, in our words. */
export interface NpmFailure {
  readonly code: ErrorCode;
  readonly more: ErrorDetail;
}

const tailLines = 12;

/** Reads npm's last words. Anything not known is `bootstrap-failed` with the end of its output. */
export function explainNpmFailure(run: {
  readonly exit: ExitFact;
  readonly output: string;
  readonly subject: string;
}): NpmFailure {
  const { exit, output, subject } = run;
  if (exit.error === "cancelled") return { code: "interrupted", more: {} };
  if (exit.error !== null && exit.error !== "codes-differ") {
    return {
      code: "bootstrap-failed",
      more: {
        subject,
        detail: `ended by ${exit.error}`,
        hint: "Run the same command again; raise the limit if it stays.",
      },
    };
  }
  const code = /^npm (?:error|ERR!) code (\S+)/mu.exec(output)?.[1];
  const detail = tailOf(output);
  switch (code) {
    case "EUSAGE":
      return { code: "lockfile-out-of-step", more: { subject, detail } };
    case "ERESOLVE":
      return {
        code: "lockfile-out-of-step",
        more: {
          subject,
          detail,
          hint: "Peer dependencies do not agree. Run `npm install`, or commit `legacy-peer-deps=true` in .npmrc if that is how the lockfile was made.",
        },
      };
    case "EINTEGRITY":
      return { code: "dependency-integrity", more: { subject, detail } };
    case "ENOSPC":
      return { code: "disk-full", more: { subject } };
    case "EBADENGINE":
    case "EBADDEVENGINES":
      return { code: "toolchain-mismatch", more: { subject, detail } };
    default:
      return { code: "bootstrap-failed", more: { subject, detail, hint: "Read the end of npm's output above." } };
  }
}

/** Names the package whose install script failed, as npm's error says where it ran; null when it does not say. */
export function findFailedPackage(output: string): string | null {
  const path = /^npm (?:error|ERR!) path (.+)$/mu.exec(output)?.[1];
  const at = path?.lastIndexOf("node_modules/") ?? -1;
  return path === undefined || at < 0 ? null : path.slice(at + "node_modules/".length);
}

/** The last lines of an output that say something, as one line: without npm's prefix, its advice and its usage. */
export function tailOf(output: string): string {
  const [before = ""] = output.split(/^npm (?:error|ERR!) (?:Clean install a project|Usage:)\s*$/mu, 1);
  const lines = before.split("\n").map((line) => line.replace(/^npm (?:error|ERR!)(?: |$)/u, "").trim());
  const said = lines.filter(
    (line) => line !== "" && !/A complete log of this run|^Log files were not written/u.test(line),
  );
  return said.slice(-tailLines).join("; ");
}
