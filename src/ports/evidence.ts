import type { Digest } from "../core/digest.ts";

/** A named pipe that takes a runner's own report: nothing inside the sandbox can fill a disk or leave a link behind. */
export interface ReportPipe {
  /** To be mounted read-only; a pipe can be written all the same. */
  readonly hostPath: string;
  /** After the run: all bytes that were written, null when there were none. `truncated` says the limit was passed. */
  finish(): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean } | null>;
}

/** The executor's side of a test run's evidence. */
export interface Evidence {
  /** Absolute path of the witness's files, to be mounted read-only. */
  readonly witnessDirectory: string;
  /** One digest over the names and bytes of the witness's files: the version of what we believe. */
  witnessDigest(): Promise<Digest>;
  openReportPipe(): Promise<ReportPipe>;
}
