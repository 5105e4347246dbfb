import { expect, it } from "vitest";

it("joins over a run", async () => {
  const answer = await fetch("http://127.0.0.1:47123/a%20%20b");
  expect(await answer.text()).toBe("a-b");
});
