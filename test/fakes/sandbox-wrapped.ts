import type { Sandbox, SandboxResult } from "../../src/ports/sandbox.ts";

/** The same sandbox behind a transport that changes what comes back. */
function throughTransport(sandbox: Sandbox, name: string, change: (bytes: Uint8Array) => Uint8Array): Sandbox {
  return {
    name,
    probe: () => sandbox.probe(),
    openRoom: (request) => sandbox.openRoom(request),
    run: async (request): Promise<SandboxResult> => {
      const result = await sandbox.run(request);
      return { ...result, stdout: change(result.stdout), channel: change(result.channel) };
    },
  };
}

/** A driver whose transport is made for text: every NUL byte is lost. */
export function createNulStrippingSandbox(sandbox: Sandbox): Sandbox {
  return throughTransport(sandbox, "strips NUL", (bytes) => bytes.filter((byte) => byte !== 0));
}

/** A driver whose transport keeps only the first `limit` bytes. */
export function createTruncatingSandbox(sandbox: Sandbox, limit: number): Sandbox {
  return throughTransport(sandbox, "truncates", (bytes) => bytes.subarray(0, limit));
}
