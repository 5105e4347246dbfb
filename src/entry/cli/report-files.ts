import { appendFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { TrueupError } from "../../errors.ts";
import { renderReport, reportFormats, type PublishedResult, type ReportFormat } from "../../reporters/index.ts";
import { readPackageVersion } from "./package-version.ts";
import type { Terminal } from "./terminal.ts";

/** Where the machine-readable reports of one command go. */
export interface ReportFiles {
  /** One of them takes standard output, where nothing else may stand then. */
  readonly onStdout: boolean;
  /** Writes all of them. Throws `out-unwritable` or `disk-full`. */
  write(result: PublishedResult): Promise<void>;
}

interface Wanted {
  readonly format: ReportFormat;
  /** Absolute; null is standard output. */
  readonly file: string | null;
}

/** For `--report`: what stands in the help of each command. */
export const reportOption = {
  flags: "--report <format=file>",
  description: `write a report for other tools: ${reportFormats.join(", ")}; - is standard output; repeatable`,
  collect: (value: string, before: readonly string[] = []): readonly string[] => [...before, value],
} as const;

/**
 * Understands the `--report` of a command line and makes its places ready: a report of an earlier run is taken away, so
 * that none can be read as this one's. Throws `usage`, `out-unwritable`.
 */
export async function openReportFiles(
  terminal: Terminal,
  specs: readonly string[] = [],
  options: { readonly json: boolean } = { json: false },
): Promise<ReportFiles> {
  const wanted = specs.map((spec) => parseSpec(spec, terminal.cwd));
  const loud = wanted.filter(({ file }) => file === null).length + (options.json ? 1 : 0);
  const onStdout = wanted.some(({ file }) => file === null);
  if (onStdout && loud > 1)
    throw new TrueupError("usage", { subject: "--report", detail: "standard output takes one report, or --json" });
  for (const { format, file } of wanted) if (file !== null) await makeReady(format, file);
  return {
    onStdout,
    async write(result) {
      for (const { format, file } of wanted) {
        const text = renderReport(format, result, { version: readPackageVersion() });
        await (file === null ? print(terminal, text) : writeReport(format, file, text));
      }
    },
  };
}

function parseSpec(spec: string, cwd: string): Wanted {
  const at = spec.indexOf("=");
  const format = reportFormats.find((one) => one === spec.slice(0, Math.max(at, 0)));
  const file = spec.slice(at + 1);
  if (format === undefined || file === "")
    throw new TrueupError("usage", {
      subject: `--report ${spec}`,
      detail: `FORMAT=FILE is wanted, with one of ${reportFormats.join(", ")}`,
    });
  return { format, file: file === "-" ? null : path.resolve(cwd, file) };
}

/** A step's summary is one file that all steps add to; every other report is a file of its own. */
const isAdded = (format: ReportFormat): boolean => format === "github-summary";

async function makeReady(format: ReportFormat, file: string): Promise<void> {
  const parent = await stat(path.dirname(file)).catch((cause: unknown) => failed(file, cause));
  if (!parent.isDirectory()) failed(file, new Error("its directory is a file"));
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory() === true) failed(file, new Error("it is a directory"));
  if (found?.isFile() === true && !isAdded(format))
    await rm(file, { force: true }).catch((cause: unknown) => failed(file, cause));
}

async function writeReport(format: ReportFormat, file: string, text: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  // A pipe or device (`/dev/stderr`) is written to; a file appears whole or not at all.
  if (isAdded(format) || (found !== null && !found.isFile()))
    return appendFile(file, text).catch((cause: unknown) => failed(file, cause));
  const part = `${file}.${process.pid}.part`;
  await writeFile(part, text)
    .then(() => rename(part, file))
    .catch(async (cause: unknown) => {
      await rm(part, { force: true }).catch(() => undefined);
      failed(file, cause);
    });
}

function failed(file: string, cause: unknown): never {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") throw new TrueupError("disk-full", { subject: file, cause });
  throw new TrueupError("report-unwritable", { subject: file, detail: code ?? message, cause });
}

async function print(terminal: Terminal, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    terminal.stdout.write(text, () => resolve());
  });
}
