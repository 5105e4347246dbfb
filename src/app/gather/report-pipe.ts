import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const byteLimit = 64 * 1024 * 1024;

/** A named pipe that takes a runner's own report: nothing inside the sandbox can fill a disk or leave a link behind. */
export interface ReportPipe {
  readonly hostPath: string;
  /** After the run: all bytes that were written, null when there were none. `truncated` says the limit was passed. */
  finish(): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean } | null>;
}

/** Reads a socket to its end and keeps at most the limit. */
function collect(socket: Socket): Promise<{ bytes: Uint8Array; truncated: boolean }> {
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
export async function openReportPipe(): Promise<ReportPipe> {
  const directory = await mkdtemp(path.join(tmpdir(), "trueup-report-"));
  const hostPath = path.join(directory, "report");
  await promisify(execFile)("mkfifo", ["-m", "600", hostPath], { env: { PATH: "/usr/bin:/bin" } });
  // The reader comes first, else opening for writing would fail; our own writer keeps the pipe from ending early.
  // Plain descriptors: the socket owns the reader, and a file handle would close it a second time.
  const reader = openSync(hostPath, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(hostPath, constants.O_WRONLY | constants.O_NONBLOCK);
  const socket = new Socket({ fd: reader, readable: true, writable: false });
  const collected = collect(socket);
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
