import { expect, test } from "vitest";
import { createGithubReader } from "../../src/adapters/forge/github/github-reader.ts";
import type { ForgeWorld } from "../fakes/forge-world.ts";
import { startStubGithub, type StubGithub } from "../fakes/stub-github.ts";
import { describeForgeReaderContract } from "./forge-reader-contract.ts";

const empty: ForgeWorld = { repository: "acme/slug", accounts: [], issues: [], pulls: [] };

function readerOf({ api, graphql }: StubGithub) {
  return createGithubReader({
    repository: "acme/slug",
    token: "secret-token",
    api,
    graphql,
    environment: {},
    retryDelaysMs: [1],
  });
}

describeForgeReaderContract("GitHub", async () => {
  const stub = await startStubGithub(empty);
  return {
    open(world) {
      stub.world = world;
      return readerOf(stub);
    },
    async dispose() {
      await stub[Symbol.asyncDispose]();
    },
  };
});

test("[H14] the token is shown to the two addresses it is for, and every request only reads", async () => {
  await using stub = await startStubGithub({
    ...empty,
    accounts: [{ name: "ada", kind: "person", permission: "write" }],
    issues: [{ number: 1, texts: [{ at: "2026-01-01T00:00:00Z", by: "ada", text: "x" }] }],
    pulls: [{ number: 2, texts: [{ at: "2026-01-02T00:00:00Z", by: "ada", text: "closes #1" }] }],
  });
  await readerOf(stub).readClosedIssues({ number: 2, opened_at: "2026-01-02T00:00:00Z" });
  expect(stub.seen.map(({ request }) => request)).toEqual([
    "POST /graphql",
    "POST /graphql",
    "GET /repos/acme/slug/collaborators/ada/permission",
  ]);
  for (const { authorization } of stub.seen) expect(authorization).toBe("Bearer secret-token");
});

test("a server that fails once is asked again", async () => {
  await using stub = await startStubGithub({ ...empty, fault: "unreachable" });
  const asked = readerOf(stub).readAccount("ada");
  await expect(asked).rejects.toMatchObject({ code: "forge-failed" });
  expect(stub.seen).toHaveLength(2);
});
