import {
  describeZodIssues,
  findAcceptanceFence,
  parseContractJson,
  parseContractValue,
  parseStrictJson,
  type ContractResult,
  type Issue,
} from "../contract/index.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { parseRepoAddress } from "./repo-address.ts";
import { frontMatterSchema, taskSchema, type FrontMatter } from "./schema.ts";
import type { Task } from "./task.ts";

/** A task, or every reason why the file is none. */
export type TaskResult =
  { readonly ok: true; readonly task: Task } | { readonly ok: false; readonly issues: readonly Issue[] };

/** What kind of file it is, and the time in milliseconds since the epoch when dates in the future shall be refused. */
export interface TaskFileOptions {
  readonly kind: "markdown" | "json";
  readonly now?: number;
}

const root = "task";
const maxPromptChars = 100_000;
const dayMs = 86_400_000;

/** Parses a task file. Never throws for bad input. */
export function parseTaskFile(text: string, options: TaskFileOptions): TaskResult {
  return options.kind === "json" ? parseJsonTask(text, options) : parseMarkdownTask(text, options);
}

function parseMarkdownTask(text: string, options: TaskFileOptions): TaskResult {
  const front = parseFrontMatter(text);
  if (!front.ok) return front;
  const head = frontMatterSchema.safeParse(front.value);
  const headIssues = head.success ? [] : describeZodIssues(head.error.issues, front.value, root);
  // Empty lines for the front matter, so that a block is named by its line in the file.
  const before = text.split("\n").length - front.body.split("\n").length;
  const found = findAcceptanceFence("\n".repeat(before) + front.body);
  if (!found.ok) return { ok: false, issues: [...headIssues, ...found.issues] };
  const contract = found.fence === null ? null : parseContractJson(found.fence.text);
  if (!head.success) return { ok: false, issues: [...headIssues, ...prefixed(contract)] };
  return assemble({ head: head.data, body: front.body.trim(), contract }, options);
}

function parseJsonTask(text: string, options: TaskFileOptions): TaskResult {
  const json = parseStrictJson(text, root);
  if (!json.ok) return json;
  const parsed = taskSchema.safeParse(json.value);
  if (!parsed.success) return { ok: false, issues: describeZodIssues(parsed.error.issues, json.value, root) };
  const { $schema: _editor, prompt, contract, ...head } = parsed.data;
  const fence = findAcceptanceFence(prompt);
  if (!fence.ok || fence.fence !== null) {
    return {
      ok: false,
      issues: [{ key: "prompt", reason: "holds an acceptance block; a JSON task says it in the key contract" }],
    };
  }
  return assemble(
    { head, body: prompt.trim(), contract: contract === undefined ? null : parseContractValue(contract) },
    options,
  );
}

/** Names issues inside a contract from the task's root: `contract.tests[0].passed`. */
function prefixed(contract: ContractResult | null): readonly Issue[] {
  if (contract === null || contract.ok) return [];
  return contract.issues.map(({ key, reason }) => ({ key: key === "contract" ? key : `contract.${key}`, reason }));
}

interface Parts {
  readonly head: FrontMatter;
  readonly body: string;
  readonly contract: ContractResult | null;
}

function assemble({ head, body, contract }: Parts, options: TaskFileOptions): TaskResult {
  const address = parseRepoAddress(head.repo);
  const created = head.created_at === undefined ? null : Date.parse(head.created_at);
  const issues = [
    ...wordIssues(head, body),
    ...dateIssues(created, options.now),
    ...prefixed(contract),
    ...(address.ok ? [] : [{ key: "repo", reason: address.reason }]),
  ];
  const pinned = contract?.ok === true ? contract : null;
  if (pinned !== null && head.intent !== undefined && (pinned.contract.intent ?? head.intent) !== head.intent) {
    issues.push({
      key: "intent",
      reason: `is ${head.intent}, but the contract says ${String(pinned.contract.intent)}`,
    });
  }
  if (issues.length > 0 || !address.ok) return { ok: false, issues };
  return {
    ok: true,
    task: {
      title: head.title,
      repo: head.repo,
      address: address.address,
      base_ref: head.base_ref ?? null,
      agent: head.agent ?? null,
      authority: head.authority ?? null,
      intent: head.intent ?? pinned?.contract.intent ?? "behaviour",
      budget: head.budget ?? {},
      created_at: created === null ? null : Math.floor(created / 1000),
      body,
      contract: pinned?.contract ?? null,
      contract_digest: pinned?.digest ?? null,
    },
  };
}

function wordIssues(head: FrontMatter, body: string): Issue[] {
  const issues: Issue[] = [];
  if (/[\p{Cc}\u2028\u2029]/u.test(head.title))
    issues.push({ key: "title", reason: "must be one line without control characters" });
  if (head.title.trim() === "") issues.push({ key: "title", reason: "is empty" });
  if (body === "") issues.push({ key: "prompt", reason: "is empty: the text says what to do" });
  if (body.length > maxPromptChars)
    issues.push({ key: "prompt", reason: `is longer than ${maxPromptChars} characters` });
  if (body.includes("\0")) issues.push({ key: "prompt", reason: "holds a NUL character" });
  if (head.agent !== undefined && /\p{Cc}/u.test(head.agent))
    issues.push({ key: "agent", reason: "holds a control character" });
  const refFault = head.base_ref === undefined ? null : revisionFault(head.base_ref);
  return refFault === null ? issues : [...issues, { key: "base_ref", reason: refFault }];
}

/** Why a word is no branch, tag or commit we would hand to git, or null. */
function revisionFault(ref: string): string | null {
  if (ref.startsWith("-")) return "begins with -";
  return /[\s~^:?*[\\\p{Cc}]|\.\.|@\{|^\/|\/$|\/\/|\.lock$/u.test(ref)
    ? "is not the name of a branch, tag or commit"
    : null;
}

function dateIssues(created: number | null, now: number | undefined): Issue[] {
  if (created === null) return [];
  if (!Number.isFinite(created) || created < 0) return [{ key: "created_at", reason: "is not a date after 1970" }];
  return now !== undefined && created > now + dayMs ? [{ key: "created_at", reason: "lies in the future" }] : [];
}
