import { z } from "zod";
import { describeZodIssues, parseStrictJson } from "../contract/index.ts";

/** What a CI asks to be judged. Commits are full ids. */
export type CiEvent =
  | {
      readonly kind: "pull-request";
      readonly number: number;
      /** `owner/name` of the base. */
      readonly repository: string;
      /** The tip of the base branch when the event was made. */
      readonly base: string;
      readonly head: string;
      readonly fork: boolean;
      readonly author: { readonly name: string; readonly kind: "person" | "bot" | "unknown" };
      readonly opened_at: string;
      /** What the pull request says of itself: shown as a claim, and used for nothing else. */
      readonly claim: string;
    }
  | {
      readonly kind: "merge-group";
      readonly repository: string;
      readonly base: string;
      readonly head: string;
    };

/** The event, or why it cannot be judged. */
export type EventResult =
  { readonly ok: true; readonly event: CiEvent } | { readonly ok: false; readonly reason: string };

const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u, "not a full commit id");
const repositoryName = z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/u, "not owner/name");
const repository = z.looseObject({ full_name: repositoryName });

const pullRequest = z.looseObject({
  number: z.int().min(1),
  repository,
  pull_request: z.looseObject({
    number: z.int().min(1),
    body: z.nullable(z.string()),
    created_at: z.iso.datetime({ offset: true }),
    user: z.nullable(z.looseObject({ login: z.string().min(1), type: z.string() })),
    base: z.looseObject({ sha: commit, repo: repository }),
    // The repository of a deleted fork is null.
    head: z.looseObject({ sha: commit, repo: z.nullable(repository) }),
  }),
});

const mergeGroup = z.looseObject({
  repository,
  merge_group: z.looseObject({ head_sha: commit, base_sha: commit }),
});

/** Under these the workflow and its secrets are the base's, and what it checks out is the change's. */
const withSecrets = ["pull_request_target", "workflow_run", "issue_comment"];

/**
 * Reads the event of a GitHub workflow. What decides is only what the forge itself says: ids, numbers, accounts, the time;
 * never title, branch or labels, and the body is a claim.
 */
export function readGithubEvent(name: string, text: string): EventResult {
  if (withSecrets.includes(name))
    return { ok: false, reason: `${name} runs with the secrets of the base; use pull_request` };
  if (name !== "pull_request" && name !== "merge_group")
    return { ok: false, reason: `${name || "no event"} is neither pull_request nor merge_group` };
  const json = parseStrictJson(text, "event");
  if (!json.ok) return { ok: false, reason: json.issues[0]?.reason ?? "it is not JSON" };
  return name === "pull_request" ? readPullRequest(json.value) : readMergeGroup(json.value);
}

function readPullRequest(value: unknown): EventResult {
  const parsed = pullRequest.safeParse(value);
  if (!parsed.success) return invalid(parsed.error, value);
  const { pull_request: pull, repository: here } = parsed.data;
  if (pull.base.repo.full_name !== here.full_name || pull.number !== parsed.data.number)
    return { ok: false, reason: "the pull request is not one of this repository" };
  return {
    ok: true,
    event: {
      kind: "pull-request",
      number: pull.number,
      repository: here.full_name,
      base: pull.base.sha,
      head: pull.head.sha,
      fork: pull.head.repo?.full_name !== here.full_name,
      author: { name: pull.user?.login ?? "ghost", kind: accountKind(pull.user) },
      opened_at: pull.created_at,
      claim: pull.body ?? "",
    },
  };
}

function readMergeGroup(value: unknown): EventResult {
  const parsed = mergeGroup.safeParse(value);
  if (!parsed.success) return invalid(parsed.error, value);
  const { merge_group: group, repository: here } = parsed.data;
  return {
    ok: true,
    event: { kind: "merge-group", repository: here.full_name, base: group.base_sha, head: group.head_sha },
  };
}

function accountKind(user: { readonly login: string; readonly type: string } | null): "person" | "bot" | "unknown" {
  if (user === null) return "unknown";
  if (user.type === "Bot" || user.login.endsWith("[bot]")) return "bot";
  return user.type === "User" ? "person" : "unknown";
}

function invalid(error: z.ZodError, value: unknown): EventResult {
  const [first] = describeZodIssues(error.issues, value, "event");
  return { ok: false, reason: first === undefined ? "not an event" : `${first.key}: ${first.reason}` };
}
