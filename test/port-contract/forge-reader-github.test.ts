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

/** Every way to leave one member out of an answer, as paths. */
function memberPaths(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...memberPaths(inner, [...path, key])]);
}

function without(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, index) => String(index) !== key)
      : value.map((one: unknown, index) => (String(index) === key ? without(one, rest) : one));
  const { [key]: inner, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) };
}

test("[D11] an answer with any one member missing is an error or says less: never a contract that may be used", async () => {
  const texts = [
    { at: "2026-01-01T00:00:00Z", by: "ada", text: "x" },
    { at: "2026-02-01T00:00:00Z", by: "ada", text: "y" },
  ];
  const world: ForgeWorld = {
    ...empty,
    accounts: [{ name: "ada", kind: "person", permission: "write" }],
    issues: [{ number: 1, texts }],
    pulls: [{ number: 2, texts: [{ at: "2026-01-15T00:00:00Z", by: "ada", text: "closes #1" }] }],
  };
  const pull = { number: 2, opened_at: "2026-01-15T00:00:00Z" };
  await using stub = await startStubGithub(world);
  const whole = await readerOf(stub).readClosedIssues(pull);
  expect(whole).toMatchObject([{ body_at_opening: "x", author: { permission: "write" } }]);
  for (const kind of ["PullRequest", "Issue", "permission"] as const) {
    const answer = stub.answers[kind];
    for (const path of memberPaths(answer)) {
      stub.instead = { [kind]: without(answer, path) };
      const read = await readerOf(stub)
        .readClosedIssues(pull)
        .catch((error: unknown) => error);
      if (!Array.isArray(read)) expect([path, read]).toMatchObject([path, { code: "forge-failed" }]);
      else expect([path, JSON.stringify(read) === JSON.stringify(whole)]).toEqual([path, false]);
    }
  }
});
