import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import type { ReportPipe } from "../../../ports/index.ts";

/** How the pipe is made. */
export interface ReportPipeOptions {
  /** A directory of the executor's own; made when absent. */
  readonly scratchDirectory: string;
  readonly byteLimit: number;
}

/** Reads a socket to its end and keeps at most the limit; what comes after is read and dropped. */
function collect(socket: Socket, byteLimit: number): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  socket.on("data", (chunk: Buffer) => {
    truncated ||= size + chunk.length > byteLimit;
    if (truncated) return;
    chunks.push(chunk);
    size += chunk.length;
  });
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => resolve({ bytes: Buffer.concat(chunks), truncated }));
  });
}

/** Makes the pipe in a fresh private directory and reads from it until `finish`, which also removes it. */
export async function openReportPipe(options: ReportPipeOptions): Promise<ReportPipe> {
  await mkdir(options.scratchDirectory, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(path.join(options.scratchDirectory, "report-"));
  const hostPath = path.join(directory, "report");
  await promisify(execFile)("mkfifo", ["-m", "600", hostPath], { env: { PATH: "/usr/bin:/bin" } });
  // The reader comes first, else opening for writing would fail; our own writer keeps the pipe from ending early.
  // Plain descriptors: the socket owns the reader, and a file handle would close it a second time.
  const reader = openSync(hostPath, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(hostPath, constants.O_WRONLY | constants.O_NONBLOCK);
  const collected = collect(new Socket({ fd: reader, readable: true, writable: false }), options.byteLimit);
  // The error is thrown by `finish`; until then nobody waits for it.
  collected.catch(() => undefined);
  return {
    hostPath,
    finish: async () => {
      try {
        closeSync(writer);
        const result = await collected;
        return result.bytes.length === 0 && !result.truncated ? null : result;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}
