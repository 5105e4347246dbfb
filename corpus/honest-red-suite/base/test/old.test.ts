import { expect, it } from "vitest";

it("was never mended", () => {
  expect(1).toBe(2);
});
