import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseContractJson } from "../contract/index.ts";
import type { AccountFacts } from "../facts/index.ts";
import { sourceFindings } from "../gate/index.ts";
import { chooseContract, type IssueTexts, type NamedContract } from "./choose-contract.ts";

const ada: AccountFacts = { name: "ada", kind: "person", permission: "write" };
const block = (contract: unknown): string => `Words.\n\n\`\`\`acceptance\n${JSON.stringify(contract)}\n\`\`\`\n`;
const strict = block({ changed_files_only: ["src/**"] });
const lax = block({ changed_files_only: ["**"] });
const standing = parseContractJson('{"max_added_lines":5}') as NamedContract & { ok: true };
const issue = (more: Partial<IssueTexts> = {}): IssueTexts => ({
  number: 1,
  author: ada,
  last_editor: null,
  open: true,
  body: strict,
  body_at_opening: strict,
  closed_now: true,
  closed_at_opening: "yes",
  ...more,
});
const judged = (issues: readonly IssueTexts[], unread: string | null = null) => {
  const chosen = chooseContract({ standing: null, issues, issuesUnread: unread });
  const findings = sourceFindings({ issues: chosen.issues, issues_unread: unread });
  return { from: chosen.from, codes: findings.map(({ severity, code }) => `${severity} ${code}`) };
};

describe("where a contract comes from", () => {
  const eve: AccountFacts = { name: "eve", kind: "person", permission: "less" };
  const unknown: AccountFacts = { name: "x", kind: "person", permission: "unknown" };
  const bot: AccountFacts = { name: "b[bot]", kind: "bot", permission: "write" };
  test.each<[string, readonly IssueTexts[], string, readonly string[]]>([
    ["a sound issue", [issue()], "issue", []],
    ["beside one without a contract", [issue(), issue({ number: 2, body: "x", body_at_opening: "y" })], "issue", []],
    ["no issue", [], "none", []],
    ["[D11] an untrusted author", [issue({ author: eve })], "none", ["block contract-untrusted"]],
    ["[D11] an untrusted last editor", [issue({ last_editor: eve })], "none", ["block contract-untrusted"]],
    ["[D11] a program as author", [issue({ author: bot })], "none", ["block contract-untrusted"]],
    [
      "[D11] an author of whom too little is known",
      [issue({ author: unknown })],
      "none",
      ["undetermined contract-untrusted"],
    ],
    [
      "[D11] two contracts",
      [issue(), issue({ number: 2, body: lax, body_at_opening: lax })],
      "none",
      ["block contract-ambiguous"],
    ],
    ["[D11] a block that was changed", [issue({ body: lax })], "none", ["block contract-changed"]],
    ["[D11] a block that was taken out", [issue({ body: "none" })], "none", ["block contract-changed"]],
    ["[D11] a block that was put in", [issue({ body_at_opening: "none" })], "none", ["block contract-changed"]],
    [
      "[D11] a history that is not known",
      [issue({ body_at_opening: null })],
      "none",
      ["undetermined contract-unpinned"],
    ],
    ["[D11] linked later", [issue({ closed_at_opening: "no" })], "none", ["undetermined contract-unpinned"]],
    [
      "[D11] linked at a time that is not known",
      [issue({ closed_at_opening: "unknown" })],
      "none",
      ["undetermined contract-unpinned"],
    ],
    ["[D11] an issue that is done", [issue({ open: false })], "none", ["block contract-spent"]],
    ["[D11] no longer linked", [issue({ closed_now: false })], "none", ["block contract-changed"]],
    [
      "[D6] an invalid block",
      [issue({ body: block({ x: 1 }), body_at_opening: block({ x: 1 }) })],
      "none",
      ["block contract-unreadable"],
    ],
  ])("%s", (_name, issues, from, codes) => {
    expect(judged(issues)).toEqual({ from, codes });
  });

  test("held-out tests in an issue are not held out: the contract is refused", () => {
    const text = block({
      changed_files_only: ["src/**"],
      held_out_tests: [{ path: "t.js", sha256: "0".repeat(64), command: "node --test t.js", passed: 1 }],
    });
    expect(judged([issue({ body: text, body_at_opening: text })])).toMatchObject({ from: "none" });
  });

  test("issues that could not be read hide what they may hold", () => {
    expect(judged([], "the forge did not answer")).toEqual({ from: "none", codes: ["undetermined contract-unpinned"] });
  });

  test("[D11] an issue's contract is used only where nothing is wrong with any issue", () => {
    const account = fc.record({
      name: fc.constantFrom("a", "b"),
      kind: fc.constantFrom("person" as const, "bot" as const, "unknown" as const),
      permission: fc.constantFrom("write" as const, "less" as const, "unknown" as const),
    });
    const text = fc.constantFrom("none", strict, lax, block({ x: 1 }));
    const any = fc.record({
      number: fc.integer({ min: 1, max: 9 }),
      author: account,
      last_editor: fc.option(account),
      open: fc.boolean(),
      body: text,
      body_at_opening: fc.option(text),
      closed_now: fc.boolean(),
      closed_at_opening: fc.constantFrom("yes" as const, "no" as const, "unknown" as const),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), (issues) => {
        const chosen = chooseContract({ standing, issues, issuesUnread: null });
        const clean = sourceFindings({ issues: chosen.issues, issues_unread: null }).length === 0;
        if (chosen.task !== null) {
          expect(clean).toBe(true);
          const holding = issues.filter(({ body }) => body !== "none");
          expect(holding).toMatchObject([
            { author: { kind: "person", permission: "write" }, closed_at_opening: "yes", open: true },
          ]);
        }
        expect(chosen.standing).toBe(standing);
      }),
    );
  });
});
