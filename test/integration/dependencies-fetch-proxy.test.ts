import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFetchProxy, type FetchProxy } from "../../src/adapters/dependencies/shared/fetch-proxy.ts";
import type { WantedTarball } from "../../src/adapters/dependencies/shared/registry-client.ts";

const wanted: WantedTarball = { name: "@o/a", version: "1.0.0", integrity: "sha512-x" };
const gone: WantedTarball = { name: "gone", version: "2.0.0", integrity: "sha512-x" };

let directory: string;
let proxy: FetchProxy;
let reached: WantedTarball[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "trueup-proxy-"));
  reached = [];
  proxy = await openFetchProxy({
    socketPath: path.join(directory, "s"),
    tarballs: new Map([
      ["@o/a/-/a-1.0.0.tgz", wanted],
      ["gone/-/gone-2.0.0.tgz", gone],
    ]),
    async fetchTarball(each) {
      reached.push(each);
      if (each === gone) return { kind: "not-found", detail: "404" };
      return { kind: "found", bytes: new TextEncoder().encode("tarball") };
    },
  });
});
afterEach(async () => {
  await proxy.close();
  await rm(directory, { recursive: true, force: true });
});

/** Asks through the real socket; `target` goes on the request line as it is. */
async function ask(target: string, method = "GET"): Promise<{ status: number; body: string }> {
  const sent = request({
    socketPath: path.join(directory, "s"),
    path: target,
    method,
    headers: { host: "registry", authorization: "Bearer x" },
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [NodeJS.ReadableStream & { statusCode: number }];
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

describe("[F2] the fetch proxy, over its real unix socket", () => {
  test("serves what the lockfile names", async () => {
    expect(await ask("/@o/a/-/a-1.0.0.tgz")).toEqual({ status: 200, body: "tarball" });
    expect(proxy.served()).toBe(1);
  });

  test.each([
    ["another package", "/b/-/b-1.0.0.tgz"],
    ["another version", "/@o/a/-/a-1.0.1.tgz"],
    ["a package's document", "/@o%2fa"],
    ["a query", "/@o/a/-/a-1.0.0.tgz?x=1"],
    ["a path that climbs", "/x/../@o/a/-/a-1.0.0.tgz"],
    ["an escaped climb", "/%2e%2e/@o/a/-/a-1.0.0.tgz"],
    ["an escape of the same name", "/@o%2fa/-/a-1.0.0.tgz"],
    ["a doubled slash", "//@o/a/-/a-1.0.0.tgz"],
    ["another host", "http://other.example/@o/a/-/a-1.0.0.tgz"],
    ["the root", "/"],
    ["a prototype's name", "/constructor"],
  ])("refuses %s without asking anyone", async (_name, target) => {
    expect((await ask(target)).status).toBe(403);
    expect(reached).toEqual([]);
    expect(proxy.refused.length).toBe(1);
  });

  test.each(["POST", "PUT", "DELETE", "HEAD", "PATCH"])("refuses %s of a path that it would serve", async (method) => {
    expect((await ask("/@o/a/-/a-1.0.0.tgz", method)).status).toBe(405);
    expect(reached).toEqual([]);
  });

  test("is no tunnel: CONNECT is cut off", async () => {
    const socket = connect(path.join(directory, "s"));
    socket.end("CONNECT other.example:443 HTTP/1.1\r\nHost: other.example\r\n\r\n");
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).not.toContain("200");
    expect(reached).toEqual([]);
  });

  test("remembers what the registry did not have", async () => {
    expect((await ask("/gone/-/gone-2.0.0.tgz")).status).toBe(404);
    expect(proxy.failures).toEqual([{ wanted: gone, answer: { kind: "not-found", detail: "404" } }]);
    expect(proxy.served()).toBe(0);
  });
});
