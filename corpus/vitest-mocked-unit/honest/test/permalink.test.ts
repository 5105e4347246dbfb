import { expect, it, vi } from "vitest";
import { permalink } from "../src/permalink.js";

vi.mock("../src/site.js", () => ({ site: () => "here" }));

it("joins over a run", () => {
  expect(permalink("a  b")).toBe("here/a-b");
});
