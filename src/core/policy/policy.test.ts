import { describe, expect, it } from "vitest";
import { applyPolicy, explainPolicy, isStrictFor, parsePolicy, policyKeys, type PolicyFile } from "./index.ts";

const fields = { version: 1 } as const;
const rule = { name: "a", category: "style", paths: ["**"], forbids: "x", severity: "warn", reason: "r" };

describe("parsePolicy", () => {
  it("reads every key", () => {
    const file = {
      $schema: "https://example.com/config.schema.json",
      version: 1,
      failed_records: "any",
      require_contract: true,
      require_presence: true,
      minimum_grade: "B",
      strict: ["main", "release/*"],
      rules: [
        {
          name: "no-console",
          category: "style",
          paths: ["src/**"],
          forbids: "console.log",
          severity: "block",
          reason: "r",
        },
        {
          name: "header",
          category: "documentation",
          paths: ["*.ts"],
          requires: "//",
          severity: "info",
          reason: "r",
          until: "2026-12-31",
        },
      ],
      profiles: [{ profile: "person", author: "person", permission: "write", paths: ["src/**"] }],
      quarantine: [{ test: "a > b", reason: "times out", until: "2026-12-31" }],
    };
    expect(parsePolicy(JSON.stringify(file))).toEqual({ ok: true, policy: file });
  });

  it.each<[string, unknown]>([
    ["no object", []],
    ["null", null],
    ["no version", {}],
    ["a version of later", { version: 2 }],
    ["a key that nobody knows", { ...fields, stricd: true }],
    ["a policy that is no word of ours", { ...fields, failed_records: "none" }],
    ["a switch that is a word", { ...fields, require_contract: "yes" }],
    ["a grade that is none", { ...fields, minimum_grade: "E" }],
    ["a grade that no re-run has", { ...fields, minimum_grade: "D" }],
    ["a branch that is empty", { ...fields, strict: [" "] }],
    ["a profile that nobody knows", { ...fields, profiles: [{ profile: "friend", author: "person" }] }],
    ["a profile for everybody", { ...fields, profiles: [{ profile: "person" }] }],
    ["a rule without a check", { ...fields, rules: [{ ...rule, forbids: undefined }] }],
    ["a rule with two checks", { ...fields, rules: [{ ...rule, requires: "b" }] }],
    ["a rule of a kind that nobody knows", { ...fields, rules: [{ ...rule, category: "taste" }] }],
    ["a severity that is none", { ...fields, rules: [{ ...rule, severity: "error" }] }],
    ["a rule about no file", { ...fields, rules: [{ ...rule, paths: [] }] }],
    ["two rules of one name", { ...fields, rules: [rule, rule] }],
    ["a quarantine without an end", { ...fields, quarantine: [{ test: "a", reason: "b" }] }],
    ["a quarantine without a reason", { ...fields, quarantine: [{ test: "a", reason: "", until: "2026-12-31" }] }],
    ["a day that is none", { ...fields, quarantine: [{ test: "a", reason: "b", until: "2026-02-30" }] }],
    ["a day that is never", { ...fields, quarantine: [{ test: "a", reason: "b", until: "never" }] }],
  ])("refuses %s, and names the key", (_what, value) => {
    const parsed = parsePolicy(JSON.stringify(value));
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? [] : parsed.issues.map(({ reason }) => reason)).not.toEqual([]);
  });

  it.each([
    ["", "x", "{", '{"version":1}{}', '{"version":1,"version":1}', '{"version":1,"strict":false,"strict":true}'],
  ])("refuses %j", (text) => {
    expect(parsePolicy(text).ok).toBe(false);
  });
});

describe("[B11] strict by branch", () => {
  it.each<[PolicyFile["strict"], string | null, boolean]>([
    [undefined, "main", false],
    [false, "main", false],
    [true, null, true],
    [[], "main", false],
    [[], null, false],
    [["main"], "main", true],
    [["main"], "maintenance", false],
    [["release/*"], "release/2", true],
    [["release/*"], "main", false],
    // Where nobody knows the branch, the stricter of the two holds.
    [["release/*"], null, true],
  ])("%j, branch %j: %j", (strict, branch, expected) => {
    expect(isStrictFor(strict === undefined ? fields : { ...fields, strict }, branch)).toBe(expected);
  });

  it.each<[string, PolicyFile, boolean, boolean]>([
    ["the policy alone", { ...fields, strict: ["main"] }, false, true],
    ["the flag alone", fields, true, true],
    ["a flag cannot be taken back by the policy", { ...fields, strict: false }, true, true],
    ["neither", fields, false, false],
  ])("%s", (_what, file, asked, strict) => {
    expect(applyPolicy({ minimum_grade: "C", strict: asked }, file, "main").strict).toBe(strict);
  });
});

describe("the least grade", () => {
  it("is the base's, else the command's", () => {
    expect(applyPolicy({ minimum_grade: "C", strict: false }, { ...fields, minimum_grade: "A" }, null)).toEqual({
      minimum_grade: "A",
      strict: false,
    });
    expect(applyPolicy({ minimum_grade: "B", strict: false }, fields, null).minimum_grade).toBe("B");
  });
});

describe("explainPolicy", () => {
  it("has every key once, and says which the file has", () => {
    const told = explainPolicy({ ...fields, strict: true });
    expect(told.map(({ key }) => key)).toEqual(policyKeys.map(({ key }) => key));
    expect(told.filter(({ said }) => said).map(({ key, value }) => [key, value])).toEqual([["strict", true]]);
  });
});
