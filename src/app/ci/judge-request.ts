import {
  chooseContract,
  decideConclusion,
  type ChosenContract,
  type Conclusion,
  type NamedContract,
} from "../../core/ci/index.ts";
import type { AccountFacts, Claim, RequestFacts } from "../../core/facts/index.ts";
import { parseClaim } from "../../core/gate/index.ts";
import { TrueupError } from "../../errors.ts";
import type { ClosedIssue, ForgeReader, WorkTree } from "../../ports/index.ts";
import type { CheckPorts } from "../check/check-work.ts";
import { judge, writeArtifacts, type Judged, type WriteArtifact } from "../gather/evaluate-change.ts";
import { applyPolicy } from "../../core/policy/index.ts";
import { readPolicy } from "../gather/read-policy.ts";
import { joinContracts } from "../gather/contract-in-force.ts";
import { gatherFacts } from "../gather/gather-facts.ts";
import { findRequest, type Asked, type FoundRequest } from "./find-request.ts";

export interface CiPorts extends CheckPorts {
  /** Null: there is no forge to ask. A pull request is undetermined then, since an issue might hold its contract. */
  readonly forge: ForgeReader | null;
}

export interface CiRequest {
  readonly directory: string;
  readonly asked: Asked;
  /** The commit that the CI itself made of head and base for this job, and checked out; null when it makes none. */
  readonly mergeCommit: string | null;
  readonly requireContract: boolean;
  readonly strict: boolean;
  readonly parseStandingContract: (text: string) => NamedContract;
  /** Signs, beside the files, that something ran in this job before. */
  readonly ranBefore: readonly string[];
  readonly write: WriteArtifact;
  /** Directories of our own, which may not lie in the work tree. */
  readonly outside: readonly string[];
  readonly signal?: AbortSignal;
}

export interface CiResult {
  readonly judged: Judged;
  readonly conclusion: Conclusion;
  readonly found: FoundRequest;
}

/** Judges what a CI asks about: exactly the commit that is checked out, under a contract that it cannot have written. */
export async function judgeRequest(request: CiRequest, ports: CiPorts): Promise<CiResult> {
  const place = await ports.git.findWorkTree(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  const inside = request.outside.find((each) => `${each}/`.startsWith(`${place.root}/`));
  if (inside !== undefined) throw new TrueupError("place-in-work-tree", { subject: inside });
  if (place.shallow) throw new TrueupError("repository-shallow", { subject: place.root });
  const found = await findRequest(ports.git, place, request);
  const ranBefore = [...request.ranBefore, ...(await foreignFiles(place, found, request.signal))];
  const issues = await readIssues(ports.forge, request.asked);
  const author = await readAuthor(ports.forge, request.asked);
  const standing = await readStanding(request, found);
  const requireContract = await readRequireContract(request, found);
  const chosen = chooseContract({ standing, issues: issues.list, issuesUnread: issues.unread });
  const facts = requestFacts({ asked: request.asked, found, chosen, author, issues, ranBefore });
  const judged = await measure(request, ports, { found, chosen, facts });
  const { outcome } = judged.verdict;
  const kind = request.asked.kind === "merge-group" ? null : (author?.kind ?? "unknown");
  return {
    judged,
    found,
    conclusion: decideConclusion({ outcome, requireContract, author: kind }),
  };
}

/** Nothing but the checkout may stand in the work tree: installed packages or built files are what a program left. */
async function foreignFiles(
  { root, crlf, sparse }: WorkTree,
  { mirror, head }: FoundRequest,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const captured = await mirror.captureDirectory(root, head, {
    crlf,
    sparse,
    ...(signal === undefined ? {} : { signal }),
  });
  return [
    ...(captured.tree === head.tree ? [] : ["the work tree is not as it was checked out"]),
    ...(captured.ignored === 0 ? [] : [`${captured.ignored} ignored files or directories stand in the work tree`]),
  ];
}

interface ReadIssues {
  readonly list: readonly ClosedIssue[];
  readonly unread: string | null;
}

async function readIssues(forge: ForgeReader | null, asked: Asked): Promise<ReadIssues> {
  if (asked.kind !== "pull-request") return { list: [], unread: null };
  if (forge === null) return { list: [], unread: "there is no token to read the issues with" };
  return forge.readClosedIssues(asked).then(
    (list) => ({ list, unread: null }),
    (error: unknown) => ({ list: [], unread: forgeFailure(error) }),
  );
}

/** Whoever is not known is treated as an agent: `unknown` opens nothing. */
async function readAuthor(forge: ForgeReader | null, asked: Asked): Promise<AccountFacts | null> {
  if (asked.kind === "merge-group") return null;
  if (asked.kind === "revision") return { name: "", kind: asked.author, permission: "unknown" };
  const unknown = { ...asked.author, permission: "unknown" } as const;
  if (forge === null || asked.author.kind !== "person") return unknown;
  return forge.readAccount(asked.author.name).then(
    ({ permission }) => ({ ...asked.author, permission }),
    (error: unknown) => {
      forgeFailure(error);
      return unknown;
    },
  );
}

/** Only the forge's silence is a fact here; anything else is an error. */
function forgeFailure(error: unknown): string {
  if (error instanceof TrueupError && error.code === "forge-failed") return error.message;
  throw error;
}

async function readStanding(request: CiRequest, { mirror, policyBase }: FoundRequest): Promise<NamedContract | null> {
  const bytes = await mirror.readFile(policyBase.tree, ".trueup/contract.json");
  return bytes === null ? null : request.parseStandingContract(decodeBaseText(bytes));
}

/** Bytes that are no UTF-8 become characters that no JSON has outside of strings, and so no contract. */
function decodeBaseText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

/** What the tip of the base says of contracts that are missing; the CI itself may only demand more. */
async function readRequireContract(request: CiRequest, { mirror, policyBase }: FoundRequest): Promise<boolean> {
  return request.requireContract || ((await readPolicy(mirror, policyBase)).require_contract ?? false);
}

function requestFacts(known: {
  readonly asked: Asked;
  readonly found: FoundRequest;
  readonly chosen: ChosenContract;
  readonly author: AccountFacts | null;
  readonly issues: ReadIssues;
  readonly ranBefore: readonly string[];
}): RequestFacts {
  const { asked, found, chosen, author } = known;
  return {
    kind: asked.kind,
    number: asked.kind === "pull-request" ? asked.number : null,
    author,
    fork: asked.kind === "pull-request" && asked.fork,
    head: found.head.commit,
    contract_base: found.policyBase.commit,
    contract_from: chosen.from,
    issues: chosen.issues,
    issues_unread: known.issues.unread,
    ran_before: known.ranBefore,
  };
}

async function measure(
  request: CiRequest,
  ports: CiPorts,
  { found, chosen, facts: asked }: { found: FoundRequest; chosen: ChosenContract; facts: RequestFacts },
): Promise<Judged> {
  const named = joinContracts(chosen.task, chosen.standing);
  const contract = named?.contract ?? null;
  const contractDigest = named?.digest ?? null;
  const gathered = await gatherFacts({
    ports,
    mirror: found.mirror,
    base: found.base,
    policyBase: found.policyBase,
    captured: { tree: found.head.tree, ignored: 0, hazards: [], undetermined: [] },
    contract,
    contractDigest,
    subject: {
      mode: "check",
      judged: "commit",
      base_pinned: true,
      base_ref: found.base.commit,
      base_source: found.source,
    },
    request: asked,
    agent: null,
    claim: claimOf(request.asked),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  if (request.signal?.aborted === true) throw new TrueupError("interrupted");
  const judged = judge(gathered.facts, contract, {
    contractDigest,
    policy: applyPolicy({ minimum_grade: "B", strict: request.strict }, gathered.policy, null),
  });
  await writeArtifacts(judged, gathered, { renderers: ports.renderers, write: request.write });
  return judged;
}

function claimOf(asked: Asked): Claim | null {
  return asked.kind === "pull-request" && asked.claim.trim() !== "" ? parseClaim(asked.claim) : null;
}
