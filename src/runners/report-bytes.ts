/** 128 MiB: a million tests in the tersest form; a longer report is refused, whoever reads it. */
export const reportByteLimit = 128 * 1024 * 1024;

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** Why these bytes are no report, before any parser sees them; null when they may be one. */
export function refuseBytes(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "the report is empty";
  if (bytes.length > reportByteLimit) return `the report has ${bytes.length} bytes (limit ${reportByteLimit})`;
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) return "the report is UTF-16, not UTF-8";
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return "the report begins with a byte order mark, which no runner writes";
  return null;
}

/** Error texts are for people: their beginning is enough. Units: characters. */
const errorTextLimit = 4000;

/** An error text, cut where it is longer than anybody reads. */
export function capText(text: string): string {
  return text.length <= errorTextLimit ? text : `${text.slice(0, errorTextLimit)} … (${text.length} characters)`;
}

/** Errors of something that failed: never none, for a failure without words is a failure too. */
export function saidErrors(errors: readonly string[]): readonly string[] {
  return errors.length > 0 ? errors : ["it failed without a message"];
}
