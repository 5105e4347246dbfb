import { EnvHttpProxyAgent, fetch, type Dispatcher, type Response } from "undici";
import { matchesIntegrity } from "./integrity.ts";
import { isObject, type JsonObject } from "./json-file.ts";
import { tarballPath } from "./tarball-path.ts";

/** One published package as the lockfile names it. */
export interface WantedTarball {
  readonly name: string;
  readonly version: string;
  /** Null where the lockfile sums up something else than the tarball: then the manager checks, and we after it. */
  readonly integrity: string | null;
}

/** What came of asking the registry. Only `found` carries bytes, and they match the lockfile's integrity. */
export type TarballAnswer =
  | { readonly kind: "found"; readonly bytes: Uint8Array }
  | { readonly kind: "not-found"; readonly detail: string }
  | { readonly kind: "integrity"; readonly detail: string }
  | { readonly kind: "unavailable"; readonly detail: string };

export interface RegistryClient {
  fetchTarball(wanted: WantedTarball, signal: AbortSignal): Promise<TarballAnswer>;
  /** What the registry says of a published version's bytes, or why it says nothing. */
  findIntegrity(
    published: { readonly name: string; readonly version: string },
    signal: AbortSignal,
  ): Promise<{ readonly integrity: string } | { readonly answer: TarballAnswer }>;
  close(): Promise<void>;
}

export interface RegistryClientOptions {
  /** The registry's address. */
  readonly url: string;
  /** Sent to that origin only, never after a redirect to another. */
  readonly token?: string;
  /** Proxies are read from here, by their usual names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Pauses between tries after a failure of the server or the network, in milliseconds; their number bounds the tries. */
  readonly retryDelaysMs?: readonly number[];
  /** Limit of one request, in milliseconds. */
  readonly timeoutMs?: number;
}

const maxTarballBytes = 256 * 1024 * 1024;
const maxDocumentBytes = 64 * 1024 * 1024;

type Body = { readonly status: number; readonly bytes: Uint8Array } | { readonly failure: string };

/** Talks to one registry for the executor: bounded retries, bounded sizes, integrity before anything is passed on. */
export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const base = options.url.endsWith("/") ? options.url : `${options.url}/`;
  const dispatcher = new EnvHttpProxyAgent(proxiesOf(options.environment));
  const get = (url: URL, maxBytes: number, signal: AbortSignal): Promise<Body> =>
    getWithRetries({ url, maxBytes, signal, base, dispatcher, options });
  return {
    async fetchTarball(wanted, signal) {
      const usual = new URL(tarballPath(wanted.name, wanted.version), base);
      let body = await get(usual, maxTarballBytes, signal);
      if ("status" in body && isAbsent(body.status)) {
        const found = findTarball(
          await get(new URL(wanted.name.replace("/", "%2f"), base), maxDocumentBytes, signal),
          wanted,
          base,
        );
        if ("answer" in found) return found.answer;
        body = await get(found.url, maxTarballBytes, signal);
      }
      return judgeTarball(body, wanted);
    },
    async findIntegrity(published, signal) {
      const document = await get(new URL(published.name.replace("/", "%2f"), base), maxDocumentBytes, signal);
      const found = findDist(document, published);
      if ("answer" in found) return found;
      const integrity = found.dist["integrity"];
      if (typeof integrity === "string") return { integrity };
      return { answer: { kind: "unavailable", detail: "the registry gives no integrity for this version" } };
    },
    close: () => dispatcher.close(),
  };
}

function proxiesOf(environment: RegistryClientOptions["environment"]): EnvHttpProxyAgent.Options {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? "";
  return { httpProxy: read("HTTP_PROXY"), httpsProxy: read("HTTPS_PROXY"), noProxy: read("NO_PROXY") };
}

function isAbsent(status: number): boolean {
  return status === 404 || status === 410;
}

function judgeTarball(body: Body, wanted: WantedTarball): TarballAnswer {
  if ("failure" in body) return { kind: "unavailable", detail: body.failure };
  if (isAbsent(body.status))
    return { kind: "not-found", detail: `the registry answered ${body.status} for its tarball` };
  if (body.status !== 200) return { kind: "unavailable", detail: `the registry answered ${body.status}` };
  if (wanted.integrity === null || matchesIntegrity(body.bytes, wanted.integrity))
    return { kind: "found", bytes: body.bytes };
  return { kind: "integrity", detail: `the registry's ${body.bytes.length} bytes do not match ${wanted.integrity}` };
}

/** Some registries keep a tarball elsewhere: their document of the package says where. */
function findTarball(
  body: Body,
  wanted: WantedTarball,
  base: string,
): { readonly url: URL } | { readonly answer: TarballAnswer } {
  const found = findDist(body, wanted);
  if ("answer" in found) return found;
  const tarball = String(found.dist["tarball"]);
  const url = URL.canParse(tarball, base) ? new URL(tarball, base) : null;
  if (url?.protocol === "https:" || url?.protocol === "http:") return { url };
  return { answer: { kind: "unavailable", detail: `its tarball lies at ${url?.protocol ?? "no address"}` } };
}

/** The `dist` of one published version in a registry's document of its package. */
function findDist(
  body: Body,
  wanted: { readonly version: string },
): { readonly dist: JsonObject } | { readonly answer: TarballAnswer } {
  const answer = (kind: "not-found" | "unavailable", detail: string) => ({ answer: { kind, detail } });
  if ("failure" in body) return answer("unavailable", body.failure);
  if (isAbsent(body.status)) return answer("not-found", `the registry answered ${body.status} for the package`);
  if (body.status !== 200) return answer("unavailable", `the registry answered ${body.status}`);
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(body.bytes));
    const versions = isObject(document) && isObject(document["versions"]) ? document["versions"] : {};
    const published = Object.hasOwn(versions, wanted.version) ? versions[wanted.version] : undefined;
    if (!isObject(published)) return answer("not-found", "the registry has the package, not this version");
    return isObject(published["dist"]) ? { dist: published["dist"] } : answer("unavailable", "it names no tarball");
  } catch {
    return answer("unavailable", "the registry's document of the package cannot be read");
  }
}

interface Get {
  readonly url: URL;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly base: string;
  readonly dispatcher: Dispatcher;
  readonly options: RegistryClientOptions;
}

async function getWithRetries(get: Get): Promise<Body> {
  const delays = get.options.retryDelaysMs ?? [300, 1_000, 3_000];
  for (let attempt = 0; ; attempt += 1) {
    const body = await getOnce(get);
    const delay = delays[attempt];
    const transient = "failure" in body || body.status >= 500 || body.status === 429;
    if (!transient || delay === undefined || get.signal.aborted) return body;
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}

async function getOnce(get: Get): Promise<Body> {
  const { token, timeoutMs } = get.options;
  const headers =
    token !== undefined && get.url.origin === new URL(get.base).origin ? { authorization: `Bearer ${token}` } : {};
  try {
    const signal = AbortSignal.any([get.signal, AbortSignal.timeout(timeoutMs ?? 120_000)]);
    const response = await fetch(get.url, { headers, signal, dispatcher: get.dispatcher });
    return { status: response.status, bytes: await readBody(response, get.maxBytes) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { failure: cause instanceof Error ? cause.message : String(cause) };
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
