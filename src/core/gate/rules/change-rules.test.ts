import { describe, expect, test } from "vitest";
import { baseTree, makeContract, makeEntry, makeInput } from "../../../../test/fixtures/facts-builders.ts";
import { sha256 } from "../../digest.ts";
import { hazardKinds } from "../finding-codes.ts";
import type { GateInput, Rule } from "../rule.ts";
import { agentStop } from "./agent-stop.ts";
import { contractChanged } from "./contract-changed.ts";
import { hazard } from "./hazard.ts";
import { noChange } from "./no-change.ts";
import { notBuilt } from "./not-built.ts";
import { notMeasured } from "./not-measured.ts";
import { nothingToCheck } from "./nothing-to-check.ts";
import { protectedPath } from "./protected-path.ts";
import { trustRoot } from "./trust-root.ts";

function said(rule: Rule, input: GateInput): readonly string[] {
  return rule(input).findings.map((one) => `${one.severity} ${one.code} ${one.subject}`.trim());
}

describe("protected-path", () => {
  const change = { protected_changes: [{ path: ".github/workflows/ci.yml", reason: "continuous integration" }] };
  test("a protected path that no contract opens blocks", () => {
    expect(said(protectedPath, makeInput({ change }))).toEqual(["block protected-path .github/workflows/ci.yml"]);
  });
  test("allow_protected opens what it names", () => {
    const contract = makeContract({ allow_protected: [".github/**"] });
    expect(said(protectedPath, makeInput({ change, contract }))).toEqual([]);
  });
  test("allow_protected opens nothing else", () => {
    const contract = makeContract({ allow_protected: [".husky/**"] });
    expect(said(protectedPath, makeInput({ change, contract }))).toHaveLength(1);
  });
  test("without a contract nothing is open", () => {
    expect(said(protectedPath, makeInput({ change, contract: null }))).toHaveLength(1);
  });
});

describe("hazard", () => {
  test.each(hazardKinds)("[E13] %s blocks whatever the contract allows", (kind) => {
    const change = { hazards: [{ kind, path: "src/slug.ts", detail: "seen" }] };
    const contract = makeContract({ changed_files_only: ["**"], allow_protected: ["**"] });
    expect(said(hazard, makeInput({ change, contract }))).toEqual([`block hazard-${kind} src/slug.ts`]);
  });
  test("no hazard, no finding", () => {
    expect(said(hazard, makeInput())).toEqual([]);
  });
});

describe("trust-root-changed", () => {
  const facts = {
    trust_roots: { changed: [{ path: "vitest.config.ts", why: "name", restored: true }], closure: [] },
  } as const;
  test("[E15] a changed runner configuration blocks", () => {
    expect(said(trustRoot, makeInput({ facts }))).toEqual(["block trust-root-changed vitest.config.ts"]);
  });
  test("allow_protected opens it", () => {
    const contract = makeContract({ allow_protected: ["vitest.config.ts"] });
    expect(said(trustRoot, makeInput({ facts, contract }))).toEqual([]);
  });
});

describe("no-change", () => {
  test("[F18] an empty change is an honest failure", () => {
    expect(said(noChange, makeInput({ change: { entries: [], tree: baseTree } }))).toEqual(["block no-change"]);
  });
  test("entries beside an unchanged tree are no change", () => {
    expect(said(noChange, makeInput({ change: { entries: [makeEntry()], tree: baseTree } }))).toEqual([
      "block no-change",
    ]);
  });
  test("a change is one", () => {
    expect(said(noChange, makeInput())).toEqual([]);
  });
});

describe("nothing-to-check", () => {
  test("[B7] a contract without a criterion blocks", () => {
    const contract = { intent: "docs", allow_protected: ["docs/**"] } as const;
    expect(said(nothingToCheck, makeInput({ contract: { ...contract, allow_protected: ["docs/**"] } }))).toEqual([
      "block nothing-to-check",
    ]);
  });
  test("[B7] an empty list of tests blocks", () => {
    expect(said(nothingToCheck, makeInput({ contract: makeContract({ tests: [] }) }))).toEqual([
      "block nothing-to-check tests",
    ]);
  });
  test("a contract with criteria is one", () => {
    expect(said(nothingToCheck, makeInput())).toEqual([]);
  });
});

describe("contract-changed", () => {
  test("[D12] a contract other than the pinned one blocks", () => {
    const input = { ...makeInput(), contractDigest: sha256("pinned") };
    expect(said(contractChanged, input)).toEqual(["block contract-changed contract", "block contract-changed facts"]);
  });
  test("[D12] facts gathered under another contract block", () => {
    expect(said(contractChanged, makeInput({ facts: { contract_digest: sha256("other") } }))).toEqual([
      "block contract-changed facts",
    ]);
  });
  test("a contract that vanished blocks", () => {
    expect(said(contractChanged, { ...makeInput(), contract: null })).toEqual(["block contract-changed contract"]);
  });
  test("the pinned one is in order, and so is none where none was pinned", () => {
    expect(said(contractChanged, makeInput())).toEqual([]);
    expect(said(contractChanged, makeInput({ contract: null }))).toEqual([]);
  });
});

describe("not-built", () => {
  test("a key that is not evaluated yet makes the verdict undetermined, and counts as a criterion", () => {
    const result = notBuilt(makeInput({ contract: makeContract({ coverage: { floor: 80 }, needs: ["browser"] }) }));
    expect(result.findings.map((one) => [one.severity, one.subject])).toEqual([
      ["undetermined", "coverage"],
      ["undetermined", "needs"],
    ]);
    expect(result.criteria?.map((one) => [one.kind, one.subject, one.outcome])).toEqual([
      ["not_built", "coverage", "undetermined"],
    ]);
  });
  test("a contract of built keys has none", () => {
    expect(notBuilt(makeInput()).findings).toEqual([]);
  });
});

describe("not-measured", () => {
  const one = { code: "lfs-missing", subject: "a.bin", detail: "no git-lfs" };
  test("what could not be measured stays undetermined, from either source", () => {
    expect(said(notMeasured, makeInput({ change: { undetermined: [one] } }))).toEqual([
      "undetermined not-measured a.bin",
    ]);
    expect(said(notMeasured, makeInput({ facts: { undetermined: [one] } }))).toEqual([
      "undetermined not-measured a.bin",
    ]);
  });
  test("nothing unmeasured, no finding", () => {
    expect(said(notMeasured, makeInput())).toEqual([]);
  });
});

describe("how the agent ended", () => {
  const agent = { driver: "scripted", exit: 0, duration_ms: 1 };
  test.each([
    ["end_turn", []],
    ["protocol_fault", ["warn agent-protocol-fault scripted"]],
    ["budget", ["warn agent-stopped-early scripted"]],
    ["crashed", ["warn agent-stopped-early scripted"]],
    ["no_model", ["warn agent-stopped-early scripted"]],
  ] as const)("[F7] %s decides nothing", (stop, findings) => {
    expect(said(agentStop, makeInput({ facts: { agent: { ...agent, stop } } }))).toEqual(findings);
  });
});
