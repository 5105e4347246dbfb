import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseInitRecord } from "../../../core/init/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { InitRecords } from "../../../ports/index.ts";

/** Records under `<state>/init`, one a work tree, by the digest of its real path. */
export function createInitRecords(state: string): InitRecords {
  const fileOf = (root: string): string =>
    path.join(state, "init", `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`);
  return {
    async read(root) {
      const file = fileOf(root);
      const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (text === null) return null;
      const record = parseInitRecord(text);
      if (record === null || record.root !== root) throw new TrueupError("init-record-damaged", { subject: file });
      return record;
    },
    async write(record) {
      const file = fileOf(record.root);
      const part = `${file}.${process.pid}.part`;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(part, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
      await rename(part, file);
    },
    remove: (root) => rm(fileOf(root), { force: true }),
  };
}
