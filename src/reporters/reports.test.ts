import { describe, expect, test } from "vitest";
import {
  makeCases,
  makeContract,
  makeEntry,
  makeInput,
  makeRun,
  makeTestsEntry,
} from "../../test/fixtures/facts-builders.ts";
import { canonicalJson } from "../core/digest.ts";
import { evaluate, parseClaim, type Verdict } from "../core/gate/index.ts";
import { createMarker, parseMarker, renderMarker } from "../core/publication/index.ts";
import { sha256 } from "../core/digest.ts";
import {
  renderAcceptanceJson,
  renderJson,
  renderMarkdown,
  renderPullRequestBody,
  renderPullRequestTitle,
  renderTerminal,
} from "./index.ts";
import { headline, type Report } from "./report.ts";

const bare = "Acceptance: 6/6 checks passed (re-run by the executor, not reported by the model).";

function reportOf(overrides: Parameters<typeof makeInput>[0] = {}): Report {
  const input = makeInput(overrides);
  return { verdict: evaluate(input), facts: input.facts, contract: input.contract };
}

const renderers: readonly (readonly [string, (report: Report) => string])[] = [
  ["Markdown", renderMarkdown],
  ["pull request", (report) => renderPullRequestBody(report, { marker: "<!-- trueup:e30= -->" })],
  ["terminal", (report) => renderTerminal(report, { color: false })],
  ["acceptance.json", (report) => (JSON.parse(renderAcceptanceJson(report)) as { headline: string }).headline],
  ["json", (report) => (JSON.parse(renderJson(report)) as { headline: string }).headline],
];

describe("the first line", () => {
  const hazards = [{ kind: "submodule", path: "lib", detail: "mode 160000" }] as const;
  const rows: readonly (readonly [string, Report, string])[] = [
    ["[E11] passed", reportOf(), bare],
    [
      "[E11] passed checks, and something else blocks",
      reportOf({ change: { hazards } }),
      "Acceptance: 6/6 checks passed, BLOCKED by 1 finding (hazard-submodule).",
    ],
    [
      "[E11] a failed check",
      reportOf({
        facts: { runs: [makeRun({ cases: makeCases(5) }), makeRun({ purpose: "base", cases: makeCases(3) })] },
      }),
      "Acceptance: 5/6 checks passed, BLOCKED by 1 finding (passed-count).",
    ],
    [
      "two findings of one code",
      reportOf({
        change: {
          entries: [
            makeEntry(),
            makeEntry({ path: "tests/slug.test.ts", deleted_lines: 0 }),
            makeEntry({ path: "a", deleted_lines: 0 }),
            makeEntry({ path: "b", deleted_lines: 0 }),
          ],
        },
      }),
      "Acceptance: 5/6 checks passed, BLOCKED by 2 findings (outside-scope).",
    ],
    [
      "undetermined",
      reportOf({ facts: { undetermined: [{ code: "x", subject: "y", detail: "z" }] } }),
      "Acceptance: 6/6 checks passed, UNDETERMINED by 1 finding (not-measured).",
    ],
    ["[D10] no contract", reportOf({ contract: null, facts: { runs: [] } }), "Acceptance: not machine-checked"],
    [
      "no contract, and a hazard blocks",
      reportOf({ contract: null, facts: { runs: [] }, change: { hazards } }),
      "Acceptance: not machine-checked, BLOCKED by 1 finding (hazard-submodule).",
    ],
  ];
  test.each(rows)("%s", (_name, report, line) => {
    expect(headline(report.verdict)).toBe(line);
    for (const [name, render] of renderers) expect([name, render(report).split("\n")[0]]).toEqual([name, line]);
  });

  test("[B6] the bare form stands only over a verdict that passed", () => {
    const { verdict } = reportOf();
    for (const outcome of ["blocked", "undetermined", "unchecked"] as const) {
      expect(headline({ ...verdict, outcome })).not.toContain("re-run by the executor");
    }
  });

  test("[B6] acceptance.json says passed only then, and is canonical", () => {
    const blocked = renderAcceptanceJson(reportOf({ change: { hazards } }));
    expect(JSON.parse(blocked)).toMatchObject({ passed: false, outcome: "blocked", checks_passed: 6, checks_total: 6 });
    const passed = renderAcceptanceJson(reportOf());
    expect(JSON.parse(passed)).toMatchObject({ passed: true, checks_passed: 6 });
    expect(passed).toBe(`${canonicalJson(JSON.parse(passed))}\n`);
  });

  test("a code from elsewhere cannot forge the first line", () => {
    const { verdict, ...rest } = reportOf({ change: { hazards } });
    const code = "x).\n\nAcceptance: 7/7 checks passed [a](https://evil.example";
    const forged: Verdict = { ...verdict, findings: verdict.findings.map((one) => ({ ...one, code })) };
    const lines = renderMarkdown({ verdict: forged, ...rest }).split("\n");
    expect(lines.filter((line) => line.startsWith("Acceptance:"))).toHaveLength(1);
    expect(lines[0]).not.toMatch(/(?<!\\)\]\(/u);
  });
});

test("[E11] one line a check, in the words of the contract's keys", () => {
  const lines = renderMarkdown(reportOf({ change: { entries: [makeEntry({ added_lines: 31 })] } })).split("\n");
  expect(lines.slice(1, 8)).toEqual([
    "",
    "- ✅ changed_files_only — changed: src/slug.ts",
    "- ✅ changed_files_required — src/slug.ts changed",
    "- ❌ changed_files_required — tests/slug.test.ts not changed",
    "- ❌ max_added_lines — 31 added (limit 15)",
    "- ✅ max_deleted_lines — 1 deleted (limit 3)",
    "- ✅ tests — npx vitest run tests/slug.test.ts: exit 0, 4 passed, 0 failed (expected 4 passed)",
  ]);
});

describe("order and claims", () => {
  const said =
    "Two tests were added. All tests pass.\nAcceptance: 7/7 checks passed (re-run by the executor, not reported by the model).\nCloses #1 @team\n/merge\n<!-- trueup:e30= -->";
  const report = reportOf({ facts: { claim: parseClaim(said) } });

  test("[G10] the body begins with the executor's report and ends with the claim and the marker", () => {
    const marker = renderMarker(createMarker({ task: "t", contract: null, digest: sha256("a"), key: sha256("b") }));
    const body = renderPullRequestBody(report, { marker });
    expect(body.startsWith(`${bare}\n`)).toBe(true);
    const sections = [...body.matchAll(/^### (.*)$/gmu)].map((match) => match[1]);
    expect(sections).toEqual([
      "Findings",
      "Tests",
      "How it was measured",
      "Digests",
      "What this does not prove",
      "Claimed beside verified",
      "The agent's own words (a claim, not verified)",
    ]);
    expect(body.trimEnd().endsWith(marker)).toBe(true);
    expect(parseMarker(body)?.task).toBe("t");
  });

  test("[G10] the model's summary is quoted, marked as unverified, and acts on nothing", () => {
    const body = renderPullRequestBody(report);
    const quote = body.split("### The agent's own words (a claim, not verified)")[1] ?? "";
    expect(
      quote
        .trim()
        .split("\n")
        .every((line) => line.startsWith(">")),
    ).toBe(true);
    expect(body.match(/^Acceptance:/gmu)).toHaveLength(1);
    expect(body.match(/Acceptance:/gu)).toHaveLength(1);
    expect(body).not.toMatch(/#1|@team|<!--|^> \/merge/mu);
  });

  test("[G10] contradictions stand beside the claim", () => {
    expect(renderMarkdown(report)).toContain("| tests added | 2 | 1 | ❌ contradicted |");
    expect(renderMarkdown(report)).toContain("| all tests pass | yes | yes | agrees |");
    expect(renderTerminal(report, { color: false })).toContain("tests added: claimed 2, verified 1 — contradicted");
  });

  test("words that are not in the facts are quoted too", () => {
    expect(renderPullRequestBody(reportOf(), { agentWords: "I am done." })).toContain("\n> I am done.\n");
  });

  test("an agent that said nothing has no such section", () => {
    expect(renderMarkdown(reportOf())).not.toContain("claim");
  });

  test("the marker survives a report that is far too long", () => {
    const cases = Array.from({ length: 400 }, (_, index) =>
      makeCases(1, { title: `${index} ${"long ".repeat(300)}` }),
    ).flat();
    const contract = makeContract({ tests: [makeTestsEntry({ passed: 400 })] });
    const long = reportOf({ contract, facts: { runs: [makeRun({ cases }), makeRun({ purpose: "base", cases: [] })] } });
    const marker = renderMarker(createMarker({ task: "t", contract: null, digest: sha256("a"), key: sha256("b") }));
    const body = renderPullRequestBody({ ...long, claim: parseClaim("word ".repeat(60_000)) }, { marker });
    expect(body.length).toBeLessThanOrEqual(65_000);
    expect(body.startsWith(bare)).toBe(true);
    expect(parseMarker(body)).not.toBeNull();
  });
});

describe("what every report says", () => {
  test("[E18] it says what it does not prove, and never the forbidden word", () => {
    for (const text of [renderMarkdown(reportOf()), renderTerminal(reportOf(), { color: false })]) {
      expect(text).toContain("Review is still owed");
      expect(text).toContain("Nothing here says how good the tests or the code are.");
      expect(text).not.toMatch(/tamper.?proof/iu);
    }
  });

  test("it names what came, stayed and went", () => {
    const runs = [makeRun({ cases: makeCases(4).slice(1) }), makeRun({ purpose: "base", cases: makeCases(3) })];
    const text = renderMarkdown(reportOf({ facts: { runs } }));
    expect(text).toContain("- Added: 1\n  - tests/slug.test.ts > slugify > case 4\n");
    expect(text).toContain("- Kept from base: 2\n");
    expect(text).toContain("- Lost (passed on base, not on head): 1\n  - tests/slug.test.ts > slugify > case 1\n");
  });

  test("[D10] without a contract it says in words that nothing was tested", () => {
    const body = renderPullRequestBody(reportOf({ contract: null, facts: { runs: [] } }));
    expect(body.split("\n")[0]).toBe("Acceptance: not machine-checked");
    expect(body).toContain("There was no acceptance contract for this change");
  });

  test("grade, costs, isolation and digests are there", () => {
    const report = reportOf();
    const text = renderMarkdown(report);
    for (const part of [
      "Grade B (minimum C)",
      "bubblewrap 0.9.0",
      "network held",
      report.verdict.change_digest,
      report.verdict.inputs.facts,
    ]) {
      expect(text).toContain(part);
    }
  });

  test("a hostile path and title stay in their line, in every report", () => {
    const path = "x\n\nAcceptance: 7/7 checks passed\u001b[2J<img src=x>@team";
    const cases = [...makeCases(4), ...makeCases(1, { title: "t\n::error::x\nCloses #9", state: "failed" })];
    const report = reportOf({
      change: { entries: [makeEntry({ path })] },
      facts: { runs: [makeRun({ cases }), makeRun({ purpose: "base", cases: makeCases(3) })] },
    });
    const markdown = renderMarkdown(report);
    expect(markdown.match(/Acceptance:/gu)).toHaveLength(1);
    expect(markdown).not.toMatch(/<img|@team|#9|\u001b/u);
    const terminal = renderTerminal(report, { color: false });
    expect(terminal).not.toMatch(/\u001b|^\s*::/mu);
    expect(terminal.match(/^Acceptance:/gmu)).toHaveLength(1);
  });

  test("colour is ours alone, and only when asked for", () => {
    expect(renderTerminal(reportOf(), { color: false })).not.toContain("\u001b");
    expect(renderTerminal(reportOf(), { color: true })).toContain("\u001b[32mAcceptance: 6/6");
  });

  test("an earlier pull request is linked, and an address that is none is only words", () => {
    const linked = renderPullRequestBody(reportOf(), { links: "https://forge.example/o/r/pull/7" });
    expect(linked).toContain("This follows an earlier pull request: <https://forge.example/o/r/pull/7>\n");
    expect(renderPullRequestBody(reportOf(), { links: "https://x>\n/merge" })).not.toMatch(/^\/merge|<https/mu);
    expect(renderPullRequestBody(reportOf(), { links: null })).not.toContain("earlier pull request");
  });

  test("a title becomes one line of plain words", () => {
    expect(renderPullRequestTitle(reportOf(), "Fix\nCloses #1 @team")).toBe("Fix Closes # 1 @ team");
  });

  test("JSON for programs is one line, with the verdict as it is", () => {
    const report = reportOf();
    const text = renderJson(report);
    expect(text.trimEnd()).not.toContain("\n");
    expect((JSON.parse(text) as { verdict: unknown }).verdict).toEqual(JSON.parse(JSON.stringify(report.verdict)));
  });
});

describe("one report", () => {
  const inputs = makeInput();
  const report: Report = { verdict: evaluate(inputs), facts: inputs.facts, contract: inputs.contract };
  const digests = (text: string): readonly string[] =>
    [...new Set(text.match(/sha256:[0-9a-f]{64}/gu) ?? [])].toSorted();

  test("[B12] names the commit it was judged against, the tree, and every input by its digest", () => {
    const { verdict } = report;
    const text = renderMarkdown(report);
    for (const named of [verdict.base_commit, verdict.tree, verdict.change_digest, verdict.inputs.facts])
      expect(text).toContain(named);
    expect(text).toContain(verdict.inputs.contract);
    expect(verdict.inputs.facts).not.toBe(evaluate(makeInput({ change: { added_lines: 7 } })).inputs.facts);
  });

  test("[B13] the Markdown for people says what the JSON for machines says", () => {
    const json = JSON.parse(renderJson(report)) as { headline: string; verdict: Verdict };
    expect(renderMarkdown(report).split("\n")[0]).toBe(json.headline);
    expect(digests(renderMarkdown(report))).toEqual(
      expect.arrayContaining([...digests(JSON.stringify(json.verdict.inputs))]),
    );
    expect(digests(JSON.stringify(json.verdict.inputs))).toHaveLength(2);
  });
});
