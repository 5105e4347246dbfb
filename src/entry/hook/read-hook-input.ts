import { TrueupError } from "../../errors.ts";

/** 16 MiB: a push of every ref of a large repository, or a file that an agent writes, is shorter. */
const longest = 16 * 2 ** 20;

/** Standard input as text, bounded. Throws `hook-input-invalid`. */
export async function readHookInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longest) throw new TrueupError("hook-input-invalid", { detail: "it is longer than 16 MiB" });
  }
  return Buffer.concat(chunks).toString("utf8");
}
