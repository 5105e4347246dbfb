import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseContractMarkdown } from "./parse-contract.ts";
import { contractDigest, publicProjection, taskPrompt } from "./pin.ts";
import type { AcceptanceContract } from "./schema.ts";

const hidden = { path: "secret.test.ts", sha256: "f".repeat(64), command: "npx vitest run secret.test.ts", passed: 4 };
const contract: AcceptanceContract = {
  max_added_lines: 3,
  file_contains: [{ path: "a", text: "```\n```" }],
  held_out_tests: [hidden],
};
const fence = `\`\`\`acceptance\n${JSON.stringify(contract)}\n\`\`\``;

describe("taskPrompt", () => {
  it("[D1] shows the agent the contract without the held-out tests", () => {
    const prompt = taskPrompt(`Before.\n\n${fence}\n\nAfter.\n`, contract);
    expect(prompt).not.toMatch(/secret|held_out|fff/u);
    expect(prompt.startsWith("Before.\n\n```acceptance\n{")).toBe(true);
    expect(prompt.endsWith("```\n\nAfter.\n")).toBe(true);
  });

  it("keeps the block where it was, also in quotes and lists, and it parses to the projection", () => {
    const containers = fc.array(fc.constantFrom("> ", "- ", "1. "), { maxLength: 3 });
    fc.assert(
      fc.property(containers, (marks) => {
        const later = marks.map((mark) => (mark === "> " ? mark : " ".repeat(mark.length))).join("");
        const body = `Text.\n\n${marks.join("")}${fence.replaceAll("\n", `\n${later}`)}\n\nEnd.\n`;
        const prompt = taskPrompt(body, contract);
        const shown = parseContractMarkdown(prompt);
        expect(shown.ok && shown.digest).toBe(contractDigest(publicProjection(contract)));
        expect(prompt).not.toContain("secret");
      }),
    );
  });

  it("appends the projection when the contract came in another file", () => {
    const shown = parseContractMarkdown(taskPrompt("Do it.", contract));
    expect(shown.ok && shown.contract).toEqual(publicProjection(contract));
  });

  it("leaves a body without a contract alone", () => {
    expect(taskPrompt("Do it.\n", null)).toBe("Do it.\n");
  });
});

describe("contractDigest", () => {
  it("[D12] is the same bytes on every machine", () => {
    expect(contractDigest({ max_added_lines: 3 })).toBe(
      "sha256:bb75057b47bb1a9d78d784d49e33c94b608d3c697f96eb1a2c4757b3e2edf48d",
    );
  });
});
