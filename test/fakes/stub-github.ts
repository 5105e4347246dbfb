import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ForgeWorld, WorldText } from "./forge-world.ts";

/** A server on this machine that answers as GitHub's two interfaces do, from a world that a test may change. */
export interface StubGithub extends AsyncDisposable {
  readonly api: string;
  readonly graphql: string;
  world: ForgeWorld;
  /** The last answer of each kind, and answers to give in place of the world's. */
  readonly answers: Partial<Record<AnswerKind, unknown>>;
  instead: Partial<Record<AnswerKind, unknown>>;
  /** Method and path of every request, with the token it came with. */
  readonly seen: { readonly request: string; readonly authorization: string }[];
}

type AnswerKind = "PullRequest" | "Issue" | "permission";

const typeNames = { person: "User", bot: "Bot", unknown: "Mannequin" } as const;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const kindOf = (world: ForgeWorld, name: string) =>
  world.accounts.find((one) => one.name === name)?.kind ?? ("unknown" as const);

function actorOf(world: ForgeWorld, name: string): unknown {
  return { __typename: typeNames[kindOf(world, name)], login: name };
}

function textFields(world: ForgeWorld, texts: readonly WorldText[]) {
  const nodes = texts.length < 2 ? [] : texts.map(({ at, text }) => ({ createdAt: at, deletedAt: null, diff: text }));
  const kept = world.fault === "forgetful" ? nodes.slice(-1) : nodes;
  return {
    body: texts.at(-1)?.text ?? "",
    createdAt: texts[0]?.at ?? "",
    lastEditedAt: texts.length < 2 ? null : (texts.at(-1)?.at ?? null),
    userContentEdits: { totalCount: nodes.length, nodes: kept.toReversed() },
  };
}

function answerQuery(world: ForgeWorld, query: string, variables: { readonly number: number }): unknown {
  if (query.startsWith("query PullRequest")) {
    const pull = world.pulls.find((one) => one.number === variables.number);
    if (pull === undefined) return { data: { repository: { pullRequest: null } }, errors: [{ type: "NOT_FOUND" }] };
    const text = pull.texts.at(-1)?.text ?? "";
    const nodes = [...text.matchAll(/closes #(\d+)/gu)]
      .map(([, number]) => Number(number))
      .filter((number) => world.issues.some((one) => one.number === number))
      .map((number) => ({ number, repository: { nameWithOwner: world.repository } }));
    const closingIssuesReferences = { totalCount: nodes.length, nodes };
    return { data: { repository: { pullRequest: { ...textFields(world, pull.texts), closingIssuesReferences } } } };
  }
  const issue = world.issues.find((one) => one.number === variables.number);
  if (issue === undefined) return { data: { repository: { issue: null } }, errors: [{ type: "NOT_FOUND" }] };
  const { texts, number } = issue;
  const state = issue.done === true ? "CLOSED" : "OPEN";
  const author = actorOf(world, texts[0]?.by ?? "");
  const editor = texts.length < 2 ? null : actorOf(world, texts.at(-1)?.by ?? "");
  return { data: { repository: { issue: { ...textFields(world, texts), number, state, author, editor } } } };
}

function answerPermission(world: ForgeWorld, path: string): { readonly status: number; readonly value: unknown } {
  const name = /^\/repos\/[^/]+\/[^/]+\/collaborators\/([^/]+)\/permission$/u.exec(path)?.[1];
  const account = world.accounts.find((one) => one.name === decodeURIComponent(name ?? ""));
  if (account === undefined || account.permission === "unknown") return { status: 403, value: { message: "no" } };
  const permission = account.permission === "write" ? "write" : "read";
  return { status: 200, value: { permission, user: { type: typeNames[account.kind] } } };
}

/** Starts a stub on a free port of the loopback interface. */
export async function startStubGithub(first: ForgeWorld): Promise<StubGithub> {
  const seen: StubGithub["seen"] = [];
  const answers: Partial<Record<AnswerKind, unknown>> = {};
  const state: { world: ForgeWorld; instead: Partial<Record<AnswerKind, unknown>> } = { world: first, instead: {} };
  const server = createServer((request, response) => {
    void (async () => {
      const body = await readBody(request);
      seen.push({ request: `${request.method} ${request.url}`, authorization: request.headers.authorization ?? "" });
      const { world } = state;
      if (world.fault === "unreachable") return response.writeHead(503).end();
      if (world.fault === "garbled") return response.writeHead(200).end("{}");
      const query =
        request.method === "POST" ? (JSON.parse(body) as { query: string; variables: { number: number } }) : null;
      const { status, value } =
        query === null
          ? answerPermission(world, request.url ?? "")
          : { status: 200, value: answerQuery(world, query.query, query.variables) };
      const kind =
        query === null ? "permission" : query.query.startsWith("query PullRequest") ? "PullRequest" : "Issue";
      answers[kind] = value;
      const given = state.instead[kind] ?? value;
      return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(given));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    api: address,
    graphql: `${address}/graphql`,
    seen,
    answers,
    get instead() {
      return state.instead;
    },
    set instead(value) {
      state.instead = value;
    },
    get world() {
      return state.world;
    },
    set world(value) {
      state.world = value;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
