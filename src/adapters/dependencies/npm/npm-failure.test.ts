import { describe, expect, test } from "vitest";
import type { ExitFact } from "../../../core/facts/index.ts";
import { explainNpmFailure, findFailedPackage, tailOf } from "./npm-failure.ts";

const failed: ExitFact = { code: 1, error: null, signal: null };

describe("explainNpmFailure", () => {
  test.each<[string, ExitFact, string, string]>([
    ["out of step", failed, "npm error code EUSAGE\nnpm error Missing: b@1.0.0 from lock file", "lockfile-out-of-step"],
    ["an older npm", failed, "npm ERR! code EUSAGE", "lockfile-out-of-step"],
    ["peers that do not agree", failed, "npm error code ERESOLVE", "lockfile-out-of-step"],
    ["another content", failed, "npm error code EINTEGRITY", "dependency-integrity"],
    ["no space", failed, "npm error code ENOSPC", "disk-full"],
    ["another engine", failed, "npm error code EBADENGINE", "toolchain-mismatch"],
    ["anything else", failed, "npm error code E502", "bootstrap-failed"],
    ["silence", failed, "", "bootstrap-failed"],
    ["too slow", { code: null, error: "timeout", signal: null }, "npm error code EUSAGE", "bootstrap-failed"],
    ["too large", { code: null, error: "memory", signal: null }, "", "bootstrap-failed"],
    ["stopped by a person", { code: null, error: "cancelled", signal: null }, "", "interrupted"],
  ])("%s", (_name, exit, output, code) => {
    expect(explainNpmFailure({ exit, output, subject: "package-lock.json" }).code).toBe(code);
  });

  test("the package whose script failed is named, also when nested and scoped", () => {
    expect(
      findFailedPackage("npm error path /install/project/node_modules/a/node_modules/@o/b\nnpm error command sh"),
    ).toBe("@o/b");
    expect(findFailedPackage("npm error code 1")).toBeNull();
  });

  test("the end of the output keeps what was said and drops npm's advice", () => {
    expect(tailOf("one\n\nnpm error \nnpm error A complete log of this run can be found in: /x\ntwo\n")).toBe(
      "one; two",
    );
  });

  test("a lockfile out of step is told by what is missing, not by npm's usage", () => {
    const usage = Array.from({ length: 30 }, (_, index) => `npm error   --option-${index}`);
    const lines = ["code EUSAGE", "", "Missing: b@1.0.0 from lock file", "", "Clean install a project", "", "Usage:"];
    const output = [...lines.map((line) => `npm error ${line}`), ...usage].join("\n");
    const { more } = explainNpmFailure({ exit: failed, output, subject: "package-lock.json" });
    expect(more.detail).toBe("code EUSAGE; Missing: b@1.0.0 from lock file");
  });
});
