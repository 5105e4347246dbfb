import type { Digest } from "../../core/digest.ts";
import type { Finding } from "../../core/gate/index.ts";
import {
  decideOverrides,
  overrideNamespace,
  overridePath,
  principalOf,
  renderOverride,
  signedText,
  type OverrideRow,
} from "../../core/override/index.ts";
import { TrueupError } from "../../errors.ts";
import type { Clock, CommitRef, Git, Mirror, Signatures, Signer, WorkTree } from "../../ports/index.ts";
import { regate, type ReadArtifact } from "../gate-artifacts/regate.ts";
import type { Judged } from "../gather/evaluate-change.ts";
import { gatherOverrides } from "../gather/gather-overrides.ts";
import { readPolicy } from "../gather/read-policy.ts";
import { readBaseSigners, type BaseSigners } from "./base-signers.ts";
import { findFinding } from "./find-finding.ts";

export interface AddOverridePorts {
  readonly git: Git;
  readonly signatures: Signatures;
  readonly signer: Signer;
  readonly clock: Clock;
}

export interface AddOverrideRequest {
  readonly directory: string;
  readonly code: string;
  /** Null where the code alone names one finding. */
  readonly subject: string | null;
  readonly reason: string;
  /** Null: the name under which base allows the key. */
  readonly user: string | null;
  readonly key: string;
  readonly days: number;
  /** The artifacts of the check whose finding is overridden. */
  readonly read: ReadArtifact;
  /** Shows a person what would be signed and lets the finding's code be typed. */
  readonly confirm: (row: OverrideRow, finding: Finding) => Promise<boolean>;
  /** Writes or removes one file of the work tree, by its path in the repository. */
  readonly files: {
    write(workTree: string, path: string, text: string): Promise<void>;
    remove(workTree: string, path: string): Promise<void>;
  };
}

export interface AddedOverride {
  readonly path: string;
  readonly row: OverrideRow;
}

const dayMs = 86_400_000;

/** Signs one finding of one judged change, and adds the row to the work tree only if the gate will take it. */
export async function addOverride(request: AddOverrideRequest, ports: AddOverridePorts): Promise<AddedOverride> {
  const place = await ports.git.findWorkTree(request.directory);
  if (place === null) throw new TrueupError("not-a-repository", { subject: request.directory });
  const judged = await readJudged(request.read);
  const finding = findFinding(judged, request.code, request.subject);
  const { mirror, base } = await openBase(ports.git, place, judged);
  const allowed = await readBaseSigners(mirror, base);
  if (allowed.signers.length === 0) throw new TrueupError("override-no-signers");
  const user = request.user ?? (await ownName(request, ports.signer, allowed));
  const row = makeRow(request, { judged, finding, user, now: ports.clock.now() });
  if (!(await request.confirm(row, finding))) throw new TrueupError("override-not-confirmed");
  const text = await signRow(row, { request, ports, mirror, base, allowed });
  const path = overridePath(row);
  await request.files.write(place.root, path, text);
  try {
    await expectCaptured({ place, mirror, base, row, judged }, ports);
  } catch (error) {
    await request.files.remove(place.root, path);
    throw error;
  }
  return { path, row };
}

async function readJudged(read: ReadArtifact): Promise<Judged> {
  const { judged, agrees } = await regate(read, { strict: false });
  if (agrees === true) return judged;
  throw new TrueupError("artifacts-damaged", {
    subject: "verdict.json",
    detail: "it is missing, or not what the gate says about these facts",
  });
}

async function openBase(git: Git, place: WorkTree, judged: Judged): Promise<{ mirror: Mirror; base: CommitRef }> {
  const { base_commit } = judged.verdict;
  const { mirror } = await git.openMirror(place.root);
  const base = await mirror.resolve(base_commit).catch((cause: unknown) => {
    const foreign = cause instanceof TrueupError && cause.code === "base-not-found";
    const more = { subject: base_commit, detail: "the judged base is no commit of this repository", cause };
    throw foreign ? new TrueupError("override-change-moved", more) : cause;
  });
  return { mirror, base };
}

async function ownName(request: AddOverrideRequest, signer: Signer, allowed: BaseSigners): Promise<string> {
  const name = principalOf(allowed.signers, await signer.readPublicKey(request.key));
  if (name !== null) return name;
  throw new TrueupError("override-refused", {
    subject: request.key,
    detail: "base does not name this key in .trueup/allowed_signers",
    hint: "Use a key that it names, or give `--user NAME` where it names you by a pattern.",
  });
}

function makeRow(
  request: AddOverrideRequest,
  about: { readonly judged: Judged; readonly finding: Finding; readonly user: string; readonly now: number },
): OverrideRow {
  const { judged, finding, user, now } = about;
  return {
    version: 1,
    finding: { code: finding.code, subject: finding.subject },
    contract: judged.verdict.inputs.contract,
    change: changeOf(judged),
    reason: request.reason,
    user,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + request.days * dayMs).toISOString(),
  };
}

/** The change as rows name it: without any row. */
function changeOf({ facts }: Judged): Digest {
  return facts.overrides?.change_digest ?? facts.change.change_digest;
}

interface Signing {
  readonly request: AddOverrideRequest;
  readonly ports: AddOverridePorts;
  readonly mirror: Mirror;
  readonly base: CommitRef;
  readonly allowed: BaseSigners;
}

/** The file's text, after the same decision that the gate will make over it. */
async function signRow(row: OverrideRow, { request, ports, mirror, base, allowed }: Signing): Promise<string> {
  const [text, namespace] = [signedText(row), overrideNamespace];
  const signature = await ports.signer.sign({ text, namespace, key: request.key });
  const fact = await ports.signatures.verify({
    text,
    signature,
    namespace,
    user: row.user,
    allowedSigners: allowed.bytes,
  });
  const file = renderOverride({ row, signature });
  const facts = {
    change_digest: row.change,
    allowed_signers: allowed.signers.length,
    require_presence: (await readPolicy(mirror, base)).require_presence ?? false,
    judged_at: row.created_at,
    rows: [{ path: overridePath(row), added: true, text: file, signature: fact }],
  };
  const [refused] = decideOverrides(facts, row.contract).refused;
  if (refused === undefined) return file;
  throw new TrueupError("override-refused", { subject: refused.code, detail: refused.detail });
}

interface Written {
  readonly place: WorkTree;
  readonly mirror: Mirror;
  readonly base: CommitRef;
  readonly row: OverrideRow;
  readonly judged: Judged;
}

/** What is not captured is not committed: the row must be part of the change, and the change the judged one. */
async function expectCaptured({ place, mirror, base, row, judged }: Written, ports: AddOverridePorts): Promise<void> {
  const { root, crlf, sparse } = place;
  const captured = await mirror.captureDirectory(root, base, { crlf, sparse });
  const change = await mirror.changeFacts(base, captured, []);
  const facts = await gatherOverrides({ mirror, base, change }, ports);
  const path = overridePath(row);
  if (facts === null || !facts.rows.some((one) => one.path === path && one.added))
    throw new TrueupError("override-not-versioned", { subject: path });
  // An index or a commit that was judged may differ from the work tree; then the next check says whether the row holds.
  const { judged: target } = judged.facts.subject;
  const comparable = target === "work-tree" || target === "captured";
  if (comparable && facts.change_digest !== row.change)
    throw new TrueupError("override-change-moved", {
      detail: `judged ${row.change.slice(0, 19)}, here ${facts.change_digest.slice(0, 19)}`,
    });
}
