import { expect, test } from "vitest";
import { readActionInputs } from "./read-action-inputs.ts";

const environment = { PATH: "/usr/bin", GITHUB_WORKSPACE: "/w", GITHUB_ACTIONS: "true" };

test("inputs become options, and leave the environment with the token under its own name", () => {
  const given = {
    ...environment,
    INPUT_TOKEN: "t",
    "INPUT_REQUIRE-CONTRACT": "true",
    INPUT_STRICT: "false",
    INPUT_REPORT: "sarif=a.sarif\n  junit=b.xml\n",
  };
  expect(readActionInputs(given)).toEqual({
    options: { requireContract: true, strict: false, report: ["sarif=a.sarif", "junit=b.xml"] },
    environment: { ...environment, GITHUB_TOKEN: "t" },
    directory: "/w",
  });
});

test.each(["yes", "1", "TRUE"])("the switch %s is refused: a mistyped one must not switch off", (value) => {
  expect(() => readActionInputs({ ...environment, INPUT_STRICT: value })).toThrow(/true or false/u);
});
