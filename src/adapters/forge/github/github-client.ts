import { EnvHttpProxyAgent, fetch, type Dispatcher, type Response } from "undici";
import { TrueupError } from "../../../errors.ts";

export interface GithubClientOptions {
  /** Address of the REST interface, without a slash at its end. */
  readonly api: string;
  /** Address of the GraphQL interface. */
  readonly graphql: string;
  readonly token: string;
  /** Proxies are read from here, by their usual names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Pauses between tries, in milliseconds; their number bounds the tries. */
  readonly retryDelaysMs?: readonly number[];
}

/** Reads from one GitHub. Whatever is no whole answer throws `forge-failed`. */
export interface GithubClient {
  /** The status and the JSON of a REST resource. */
  get(path: string): Promise<{ readonly status: number; readonly value: unknown }>;
  /** The `data` and the kinds of the errors of a GraphQL query. */
  query(
    text: string,
    variables: Readonly<Record<string, string | number>>,
  ): Promise<{ readonly data: unknown; readonly errors: readonly string[] }>;
}

const maxBytes = 32 * 1024 * 1024;
const timeoutMs = 30_000;

/** The token goes to these two addresses and to no other: redirects are not followed. */
export function createGithubClient(options: GithubClientOptions): GithubClient {
  const { environment } = options;
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? "";
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: read("HTTP_PROXY"),
    httpsProxy: read("HTTPS_PROXY"),
    noProxy: read("NO_PROXY"),
    keepAliveTimeout: 1,
  });
  const ask = (url: string, body: string | null): Promise<Answer> => askWithRetries({ url, body, dispatcher, options });
  return {
    async get(path) {
      const { status, text } = await ask(`${options.api}${path}`, null);
      return { status, value: parse(options.api, text) };
    },
    async query(text, variables) {
      const answer = await ask(options.graphql, JSON.stringify({ query: text, variables }));
      if (answer.status !== 200) throw failed(options.graphql, `it answered ${answer.status}`);
      const value = parse(options.graphql, answer.text);
      if (typeof value !== "object" || value === null || !("data" in value)) throw failed(options.graphql, "no data");
      const errors = "errors" in value && Array.isArray(value.errors) ? value.errors : [];
      return { data: value.data, errors: errors.map(kindOf) };
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Question {
  readonly url: string;
  /** Null: a GET. */
  readonly body: string | null;
  readonly dispatcher: Dispatcher;
  readonly options: GithubClientOptions;
}

async function askWithRetries(question: Question): Promise<Answer> {
  const delays = question.options.retryDelaysMs ?? [500, 2_000];
  for (let attempt = 0; ; attempt += 1) {
    const answer = await askOnce(question).catch((cause: unknown) => failed(question.url, wordsOf(cause)));
    const delay = delays[attempt];
    const transient = answer instanceof TrueupError || answer.status >= 500 || answer.status === 429;
    if (transient && delay !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      continue;
    }
    if (answer instanceof TrueupError) throw answer;
    if (transient) throw failed(question.url, `it answered ${answer.status}`);
    return answer;
  }
}

async function askOnce({ url, body, dispatcher, options }: Question): Promise<Answer> {
  const response = await fetch(url, {
    method: body === null ? "GET" : "POST",
    ...(body === null ? {} : { body }),
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${options.token}`,
      "content-type": "application/json",
      "user-agent": "trueup",
    },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
    dispatcher,
  });
  return { status: response.status, text: await readText(response) };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks, size));
}

function parse(subject: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failed(subject, "its answer is not JSON", cause);
  }
}

function kindOf(error: unknown): string {
  return typeof error === "object" && error !== null && "type" in error ? String(error.type) : "UNKNOWN";
}

function wordsOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
}

function failed(subject: string, detail: string, cause?: unknown): TrueupError {
  return new TrueupError("forge-failed", { subject, detail, ...(cause === undefined ? {} : { cause }) });
}
