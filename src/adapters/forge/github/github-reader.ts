import { z } from "zod";
import type { AccountFacts } from "../../../core/facts/index.ts";
import { TrueupError } from "../../../errors.ts";
import type { ClosedIssue, ForgeReader } from "../../../ports/index.ts";
import { closedNumbers } from "./closing-words.ts";
import { createGithubClient, type GithubClient, type GithubClientOptions } from "./github-client.ts";
import { textAt } from "./text-at.ts";

export interface GithubReaderOptions extends GithubClientOptions {
  /** `owner/name`. */
  readonly repository: string;
}

const time = z.iso.datetime({ offset: true });
const edits = z.object({
  totalCount: z.int().min(0),
  nodes: z.array(z.object({ createdAt: time, deletedAt: z.nullable(time), diff: z.nullable(z.string()) })),
});
const actor = z.nullable(z.object({ __typename: z.string(), login: z.string().min(1) }));
const edited = { body: z.string(), createdAt: time, lastEditedAt: z.nullable(time), userContentEdits: edits };
const pullAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({
      ...edited,
      closingIssuesReferences: z.object({
        totalCount: z.int().min(0),
        nodes: z.array(z.object({ number: z.int().min(1), repository: z.object({ nameWithOwner: z.string() }) })),
      }),
    }),
  }),
});
const issueAnswer = z.object({
  repository: z.object({
    issue: z.nullable(z.object({ ...edited, number: z.int().min(1), state: z.string(), author: actor, editor: actor })),
  }),
});
const permissionAnswer = z.object({ permission: z.string(), user: z.nullable(z.object({ type: z.string() })) });

const history = "userContentEdits(first: 100) { totalCount nodes { createdAt deletedAt diff } }";
const pullQuery = `query PullRequest($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    body createdAt lastEditedAt ${history}
    closingIssuesReferences(first: 100) { totalCount nodes { number repository { nameWithOwner } } }
  } }
}`;
const issueQuery = `query Issue($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) {
    number state body createdAt lastEditedAt ${history}
    author { __typename login } editor { __typename login }
  } }
}`;

/** Issues, their history and accounts of one repository on GitHub, by a token that only has to read. */
export function createGithubReader(options: GithubReaderOptions): ForgeReader {
  const client = createGithubClient(options);
  const [owner = "", name = ""] = options.repository.split("/");
  const reader: Reader = { client, owner, name, repository: options.repository };
  return {
    name: "github",
    readClosedIssues: (pull) => readClosedIssues(reader, pull),
    readAccount: (account) => readAccount(reader, { login: account, __typename: "User" }),
  };
}

interface Reader {
  readonly client: GithubClient;
  readonly owner: string;
  readonly name: string;
  readonly repository: string;
}

async function readClosedIssues(
  reader: Reader,
  pull: { readonly number: number; readonly opened_at: string },
): Promise<readonly ClosedIssue[]> {
  const { owner, name, repository } = reader;
  const answer = await reader.client.query(pullQuery, { owner, name, number: pull.number });
  const { pullRequest } = decode(pullAnswer, answer.data, `pull request ${pull.number}`).repository;
  const { totalCount, nodes } = pullRequest.closingIssuesReferences;
  if (totalCount > nodes.length) throw failed(`pull request ${pull.number}`, `it closes ${totalCount} issues`);
  const opening = textAt(pullRequest, pull.opened_at);
  const then = opening === null ? null : closedNumbers(opening, repository);
  const linked = nodes.filter((one) => one.repository.nameWithOwner.toLowerCase() === repository.toLowerCase());
  const now = [...linked.map((one) => one.number), ...closedNumbers(pullRequest.body, repository)];
  const numbers = [...new Set([...now, ...(then ?? [])])].toSorted((a, b) => a - b);
  const issues: ClosedIssue[] = [];
  for (const number of numbers) {
    const issue = await readIssue(reader, { number, at: pull.opened_at });
    if (issue === null) continue;
    const closed_at_opening = then === null ? "unknown" : then.includes(number) ? "yes" : "no";
    issues.push({ ...issue, closed_now: now.includes(number), closed_at_opening });
  }
  return issues;
}

/** Null where the number is a pull request's, or nothing's. */
async function readIssue(
  reader: Reader,
  asked: { readonly number: number; readonly at: string },
): Promise<Omit<ClosedIssue, "closed_now" | "closed_at_opening"> | null> {
  const { owner, name, client } = reader;
  const { data, errors } = await client.query(issueQuery, { owner, name, number: asked.number });
  if (errors.some((kind) => kind !== "NOT_FOUND")) throw failed(`issue ${asked.number}`, errors.join(", "));
  const { issue } = decode(issueAnswer, data, `issue ${asked.number}`).repository;
  if (issue === null) {
    if (errors.length > 0) return null;
    throw failed(`issue ${asked.number}`, "no answer");
  }
  const changed = issue.lastEditedAt !== null;
  return {
    number: issue.number,
    open: issue.state === "OPEN",
    author: await readAccount(reader, issue.author),
    last_editor: changed ? await readAccount(reader, issue.editor) : null,
    body: issue.body,
    body_at_opening: textAt(issue, asked.at),
  };
}

/** An account that is gone, or of which the forge says too little, is `unknown`: nothing is trusted to it. */
async function readAccount(
  { client, owner, name }: Reader,
  who: { readonly login: string; readonly __typename: string } | null,
): Promise<AccountFacts> {
  if (who === null) return { name: "ghost", kind: "unknown", permission: "unknown" };
  const kind = kindOf(who.__typename, who.login);
  if (kind !== "person") return { name: who.login, kind, permission: "unknown" };
  const path = `/repos/${owner}/${name}/collaborators/${encodeURIComponent(who.login)}/permission`;
  const { status, value } = await client.get(path);
  if (status === 404) return { name: who.login, kind, permission: "less" };
  if (status === 401 || status === 403) return { name: who.login, kind, permission: "unknown" };
  if (status !== 200) throw failed(`account ${who.login}`, `the forge answered ${status}`);
  const { permission, user } = decode(permissionAnswer, value, `account ${who.login}`);
  return {
    name: who.login,
    kind: user === null ? kind : kindOf(user.type, who.login),
    permission: permission === "admin" || permission === "write" ? "write" : "less",
  };
}

function kindOf(type: string, login: string): AccountFacts["kind"] {
  if (type === "Bot" || login.endsWith("[bot]")) return "bot";
  return type === "User" ? "person" : "unknown";
}

function decode<T>(schema: z.ZodType<T>, value: unknown, subject: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw failed(subject, "the forge's answer is not what it documents", parsed.error);
}

function failed(subject: string, detail: string, cause?: unknown): TrueupError {
  return new TrueupError("forge-failed", { subject, detail, ...(cause === undefined ? {} : { cause }) });
}
