import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** One published package: its manifest and files, as text by path. */
export interface StubPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** A registry on the loopback address that counts what it is asked for. */
export interface StubRegistry {
  readonly url: string;
  /** Paths asked for, in order. */
  readonly asked: readonly string[];
  /** Authorization headers seen. */
  readonly tokens: readonly string[];
  /** The integrity of a package's tarball as it is published. */
  integrity(name: string): string;
  /** Answers a path in another way from now on. */
  answer(path: string, how: (response: ServerResponse) => void): void;
  tarball(name: string): Buffer;
  close(): Promise<void>;
}

/** Starts a registry that holds these packages, at the usual places. */
export async function openStubRegistry(packages: readonly StubPackage[]): Promise<StubRegistry> {
  const asked: string[] = [];
  const tokens: string[] = [];
  const special = new Map<string, (response: ServerResponse) => void>();
  const tarballs = new Map(packages.map((each) => [each.name, packTarball(each)]));
  const paths = new Map(
    packages.map(({ name, version }) => [`/${name}/-/${name.slice(name.indexOf("/") + 1)}-${version}.tgz`, name]),
  );
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    if (request.headers.authorization !== undefined) tokens.push(request.headers.authorization);
    const how = special.get(path);
    const name = paths.get(path);
    if (how !== undefined) how(response);
    else if (name !== undefined) response.writeHead(200).end(tarballs.get(name));
    else response.writeHead(404).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tarball = (name: string): Buffer => tarballs.get(name) ?? Buffer.alloc(0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    tokens,
    tarball,
    integrity: (name) => `sha512-${createHash("sha512").update(tarball(name)).digest("base64")}`,
    answer: (path, how) => void special.set(path, how),
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A gzipped ustar archive with everything under `package/`, as registries keep it. */
function packTarball(each: StubPackage): Buffer {
  const manifest = JSON.stringify({ name: each.name, version: each.version, ...each.manifest });
  const files = { "package.json": manifest, ...each.files };
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const body = Buffer.from(text);
    return [header(`package/${path}`, body.length), body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  block.write(path, 0);
  block.write(octal(0o755, 8), 100);
  block.write(octal(0, 8) + octal(0, 8), 108);
  block.write(octal(size, 12) + octal(0, 12), 124);
  block.write("        0", 148);
  block.write("ustar\x0000", 257);
  block.write(
    octal(
      block.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  );
  return block;
}
