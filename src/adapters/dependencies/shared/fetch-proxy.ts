import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { TarballAnswer, WantedTarball } from "./registry-client.ts";

/** A tarball that was asked for and not served. */
export interface FetchFailure {
  readonly wanted: WantedTarball;
  readonly answer: Exclude<TarballAnswer, { kind: "found" }>;
}

/** The executor's door to the registry while dependencies are fetched. */
export interface FetchProxy {
  /** What was asked for and could not be served, in order. */
  readonly failures: readonly FetchFailure[];
  /** Request lines that the lockfile does not name, in order; none of them reached the registry. */
  readonly refused: readonly string[];
  /** How many tarballs were served. */
  served(): number;
  close(): Promise<void>;
}

/**
 * Serves on a unix socket, to `GET` only, exactly the paths of `tarballs` (without a leading slash) and nothing else:
 * no header, query, host or body of a request is ever passed on. Everything served matches the lockfile's integrity.
 */
export async function openFetchProxy(options: {
  readonly socketPath: string;
  readonly tarballs: ReadonlyMap<string, WantedTarball>;
  readonly fetchTarball: (wanted: WantedTarball, signal: AbortSignal) => Promise<TarballAnswer>;
}): Promise<FetchProxy> {
  const failures: FetchFailure[] = [];
  const refused: string[] = [];
  const stop = new AbortController();
  let count = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const wanted = request.url?.startsWith("/") === true ? options.tarballs.get(request.url.slice(1)) : undefined;
    if (request.method !== "GET" || wanted === undefined) {
      refused.push(`${request.method ?? "?"} ${request.url ?? "?"}`.slice(0, 500));
      return refuse(response, request.method === "GET" ? 403 : 405);
    }
    const found = await options.fetchTarball(wanted, stop.signal);
    if (found.kind === "found") {
      count += 1;
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": found.bytes.length });
      response.end(found.bytes);
      return;
    }
    failures.push({ wanted, answer: found });
    refuse(response, found.kind === "not-found" ? 404 : 502);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  // The only client is our own relay: an idle connection is never closed under a request that is on its way.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.listen(options.socketPath);
  await once(server, "listening");
  return {
    failures,
    refused,
    served: () => count,
    async close() {
      stop.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/plain", connection: "close" });
  response.end();
}
