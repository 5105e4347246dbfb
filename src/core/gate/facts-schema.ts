import { z } from "zod";
import { profileSchema, quarantineSchema, rulesSchema } from "./policy-facts-schema.ts";
import type { Digest } from "../digest.ts";
import type {
  CanaryFacts,
  ChangeFacts,
  CommandFacts,
  DirectionFacts,
  Facts,
  GeneratedFacts,
  HeldOutFacts,
  LintFact,
  MutationFacts,
  OverrideFacts,
  RecordFacts,
  RequestFacts,
  RunFacts,
} from "../facts/index.ts";
import { lintRuleNames } from "../lint/lint-hit.ts";
import { faultCodes } from "./finding-codes.ts";
import { recordSchema } from "../record/record-schema.ts";

const text = z.string();
const count = z.int().min(0);
const milliseconds = z.number().min(0);
const digest = z.custom<Digest>(
  (value) => typeof value === "string" && /^sha256:[0-9a-f]{64}$/u.test(value),
  "not a digest",
);
const objectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);
const mode = z.string().regex(/^[0-7]{6}$/u);
const purpose = z.enum(["head", "base"]);
const runPurpose = z.enum(["head", "base", "base-again", "head-tests-on-base", "base-tests-on-head", "canary"]);

const undetermined = z.strictObject({ code: text, subject: text, detail: text });

const records: z.ZodType<RecordFacts> = z.strictObject({
  session_id: text,
  hooks: z.array(z.strictObject({ client: text, fired: z.boolean() })).exactOptional(),
  judged_tree: z.nullable(text),
  log: z.strictObject({
    records: z.array(recordSchema),
    faults: z.array(
      z.strictObject({
        kind: z.enum([
          "torn-line",
          "broken-chain",
          "missing-file",
          "unknown-version",
          "invalid-record",
          "anchor-differs",
          "unreadable",
        ]),
        detail: text,
      }),
    ),
    anchored: z.boolean(),
  }),
});

const change: z.ZodType<ChangeFacts> = z.strictObject({
  base_commit: objectId,
  base_tree: objectId,
  tree: objectId,
  object_format: z.enum(["sha1", "sha256"]),
  entries: z.array(
    z.strictObject({
      path: text,
      valid_utf8: z.boolean(),
      status: z.enum(["added", "deleted", "modified", "type-changed"]),
      old_mode: mode,
      new_mode: mode,
      old_id: objectId,
      new_id: objectId,
      added_lines: count,
      deleted_lines: count,
      bytes: count,
      true_binary: z.boolean(),
    }),
  ),
  added_lines: count,
  deleted_lines: count,
  changed_bytes: count,
  hazards: z.array(
    z.strictObject({
      kind: z.enum([
        "submodule",
        "git-like-name",
        "nested-repository",
        "device-or-socket",
        "symlink-outside",
        "name-collision",
        "control-character",
        "invalid-utf8",
        "mode-changed",
      ]),
      path: text,
      detail: text,
    }),
  ),
  contents: z.array(
    z.strictObject({ path: text, text, kind: z.enum(["file", "symlink", "submodule", "missing"]), found: z.boolean() }),
  ),
  protected_changes: z.array(z.strictObject({ path: text, reason: text })),
  change_digest: digest,
  same_edit_key: digest,
  patch_digest: digest,
  undetermined: z.array(undetermined),
});

const exit = z.strictObject({
  code: z.nullable(z.int()),
  error: z.nullable(
    z.enum([
      "timeout",
      "idle",
      "signal",
      "memory",
      "output",
      "not-found",
      "not-executable",
      "spawn",
      "codes-differ",
      "cancelled",
      "survivor",
    ]),
  ),
  signal: z.nullable(text),
});
const excerpt = z.strictObject({ head: text, tail: text, omitted_lines: count, omitted_bytes: count });

const faultCode = z.enum(faultCodes);

const identity = { project: text, file: text, suite: z.array(text), title: text, ordinal: count };

const run: z.ZodType<RunFacts> = z.strictObject({
  criterion: count,
  purpose: runPurpose,
  tree: objectId,
  declared_argv: z.array(text),
  argv: z.array(text),
  cwd: text,
  elsewhere: z.array(z.strictObject({ argument: text, directories: z.array(text) })).exactOptional(),
  tree_written: z.array(text).exactOptional(),
  tree_put_back: z.array(text).exactOptional(),
  runner: z.strictObject({ name: text, version: text }),
  exit,
  started_at: z.iso.datetime().exactOptional(),
  duration_ms: milliseconds,
  faults: z.array(z.strictObject({ code: faultCode, detail: text })),
  cases: z.array(
    z.strictObject({
      ...identity,
      state: z.enum(["passed", "failed", "skipped", "todo", "pending", "expected-failure", "retried"]),
      errors: z.array(text),
    }),
  ),
  modules: z.array(
    z.strictObject({
      project: text,
      file: text,
      state: z.enum(["passed", "failed", "skipped", "pending"]),
      errors: z.array(text),
    }),
  ),
  unhandled: z.array(text),
  reason: z.enum(["passed", "failed", "interrupted", "unknown"]),
  second_witness: z.enum(["absent", "agrees", "differs"]),
  assertions_required: z.boolean(),
  without_assertions: z.array(z.strictObject(identity)).exactOptional(),
  stdout: excerpt,
  stderr: excerpt,
  evidence_digest: z.nullable(digest),
});

const direction: z.ZodType<DirectionFacts> = z.strictObject({
  criterion: count,
  sources: z.array(text),
  head_files: z.array(z.strictObject({ file: text, reaches: z.array(text) })),
  base_files: z.array(text),
  head_on_base: z.nullable(run),
  base_on_head: z.nullable(run),
  not_run: z.nullable(text),
});

const canary: z.ZodType<CanaryFacts> = z.strictObject({
  criterion: count,
  files: z.array(
    z.strictObject({
      file: text,
      planted: z.array(
        z.strictObject({
          suite: z.array(text),
          title: text,
          kind: z.enum(["twin", "stray"]),
          fails_by: z.enum(["assertion", "throw"]),
        }),
      ),
    }),
  ),
  runs: z.array(run),
  not_run: z.nullable(text),
});

const command: z.ZodType<CommandFacts> = z.strictObject({
  kind: z.enum(["prepare", "command"]),
  criterion: count,
  purpose,
  tree: objectId,
  argv: z.array(text),
  cwd: text,
  exit,
  started_at: z.iso.datetime().exactOptional(),
  duration_ms: milliseconds,
  stdout: excerpt,
  stderr: excerpt,
});

const heldOut: z.ZodType<HeldOutFacts> = z.strictObject({
  criterion: count,
  purpose,
  over: objectId,
  tree: z.nullable(objectId),
  runner: z.nullable(z.strictObject({ name: text, version: text })),
  exit,
  duration_ms: milliseconds,
  faults: z.array(faultCode),
  passed: count,
  not_passed: count,
  evidence_digest: z.nullable(digest),
});

const generated: z.ZodType<GeneratedFacts> = z.strictObject({
  criterion: count,
  tree: z.nullable(objectId),
  run: z.nullable(
    z.strictObject({
      argv: z.array(text),
      cwd: text,
      exit,
      started_at: z.iso.datetime().exactOptional(),
      duration_ms: milliseconds,
      stdout: excerpt,
      stderr: excerpt,
    }),
  ),
  compared: count,
  differing: z.array(z.strictObject({ path: text, state: z.enum(["differs", "missing", "extra"]) })),
});

const lint: z.ZodType<LintFact> = z.strictObject({ rule: z.enum(lintRuleNames), path: text, line: count, text });

const mutations: z.ZodType<MutationFacts> = z.strictObject({
  tried: z.array(z.strictObject({ path: text, line: count, outcome: z.enum(["noticed", "survived"]) })),
  left: count,
});

const overrides: z.ZodType<OverrideFacts> = z.strictObject({
  change_digest: digest,
  allowed_signers: count,
  require_presence: z.boolean(),
  judged_at: z.iso.datetime(),
  rows: z.array(
    z.strictObject({
      path: text,
      added: z.boolean(),
      text: z.nullable(text),
      signature: z.union([
        z.strictObject({ outcome: z.literal("verified") }),
        z.strictObject({ outcome: z.enum(["absent", "altered", "unknown-signer", "unavailable"]), detail: text }),
      ]),
    }),
  ),
});

/** The stored form of facts, strict: a key more or less, a count that is no count, a kind that is not known is refused. */
const account = z.strictObject({
  name: text,
  kind: z.enum(["person", "bot", "unknown"]),
  permission: z.enum(["write", "less", "unknown"]),
});
const heldContract = z.union([digest, z.enum(["none", "invalid", "unknown"])]);

const request: z.ZodType<RequestFacts> = z.strictObject({
  kind: z.enum(["pull-request", "merge-group", "revision"]),
  number: z.nullable(count),
  author: z.nullable(account),
  fork: z.boolean(),
  head: objectId,
  contract_base: objectId,
  contract_from: z.enum(["base", "issue", "base-and-issue", "none"]),
  issues: z.array(
    z.strictObject({
      number: count,
      author: account,
      last_editor: z.nullable(account),
      now: heldContract,
      at_opening: heldContract,
      open: z.boolean(),
      closed_now: z.boolean(),
      closed_at_opening: z.enum(["yes", "no", "unknown"]),
    }),
  ),
  issues_unread: z.nullable(text),
  ran_before: z.array(text),
});

export const factsSchema: z.ZodType<Facts> = z.strictObject({
  version: z.literal(1),
  subject: z.strictObject({
    mode: z.enum(["deliver", "check", "records"]),
    judged: z.enum(["captured", "work-tree", "staged", "commit"]),
    base_pinned: z.boolean(),
    base_ref: text,
    base_source: text,
  }),
  contract_digest: z.nullable(digest),
  change,
  runs: z.array(run),
  commands: z.array(command),
  base_again: z.array(run).exactOptional(),
  direction: z.array(direction).exactOptional(),
  canary: z.array(canary).exactOptional(),
  held_out: z.array(heldOut).exactOptional(),
  generated: z.array(generated).exactOptional(),
  request: request.exactOptional(),
  lint: z.array(lint).exactOptional(),
  mutations: mutations.exactOptional(),
  overrides: overrides.exactOptional(),
  profile: profileSchema.exactOptional(),
  rules: rulesSchema.exactOptional(),
  quarantine: quarantineSchema.exactOptional(),
  records: z.nullable(records),
  trust_roots: z.strictObject({
    changed: z.array(z.strictObject({ path: text, why: z.enum(["name", "closure"]), restored: z.boolean() })),
    closure: z.array(text),
  }),
  dependencies: z.array(
    z.strictObject({
      root: text,
      manager: z.enum(["npm", "pnpm", "yarn", "bun", "none"]),
      lockfile: z.nullable(text),
      key: z.nullable(digest),
      packages: count,
      scripts: z.enum(["none", "run-without-network", "skipped"]),
    }),
  ),
  toolchain: z.array(z.strictObject({ name: text, version: text })),
  isolation: z.nullable(
    z.strictObject({
      driver: text,
      version: text,
      work_tree: z.enum(["overlay-root", "overlay-user", "copy", "none"]),
      features: z.array(
        z.strictObject({ name: text, state: z.enum(["held", "missing", "failed", "not-tried"]), detail: text }),
      ),
    }),
  ),
  agent: z.nullable(
    z.strictObject({
      driver: text,
      stop: z.enum(["end_turn", "budget", "cancelled", "agent_error", "protocol_fault", "no_model", "crashed"]),
      exit: z.nullable(z.int()),
      duration_ms: milliseconds,
    }),
  ),
  claim: z.nullable(
    z.strictObject({
      text,
      tests_added: z.nullable(count),
      tests_passed: z.nullable(count),
      says_all_pass: z.boolean(),
    }),
  ),
  undetermined: z.array(undetermined),
});
