import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { TrueupError } from "../../errors.ts";
import { decodeText } from "./read-input.ts";

/** An artifact as text; null when it is not there. Only regular files: a pipe would hold the gate for ever. */
export async function readArtifact(root: string, name: string): Promise<string | null> {
  try {
    const file = path.join(root, name);
    if (!(await stat(file)).isFile())
      throw new TrueupError("artifacts-damaged", { subject: name, detail: "it is not a regular file" });
    return decodeText(await readFile(file), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    if (error instanceof TrueupError && error.code === "artifacts-damaged") throw error;
    const detail = error instanceof TrueupError ? error.detail : String((error as NodeJS.ErrnoException).code);
    throw new TrueupError("artifacts-damaged", { subject: name, detail: detail ?? "unknown", cause: error });
  }
}
