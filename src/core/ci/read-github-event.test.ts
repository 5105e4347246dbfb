import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGithubEvent } from "./read-github-event.ts";

const events = path.join(import.meta.dirname, "../../../test/fixtures/github-events");
const ids = { BASE: "b".repeat(40), HEAD: "c".repeat(40) };

function recorded(name: string): string {
  const text = readFileSync(path.join(events, `${name}.json`), "utf8");
  return text.replaceAll("BASE", ids.BASE).replaceAll("HEAD", ids.HEAD);
}

describe("events of GitHub", () => {
  const pull = { kind: "pull-request", repository: "acme/slug", base: ids.BASE, head: ids.HEAD };
  test.each([
    ["same-repository", "pull_request", { ...pull, number: 10, fork: false, author: { name: "ada", kind: "person" } }],
    ["fork", "pull_request", { ...pull, number: 11, fork: true, author: { name: "eve", kind: "person" } }],
    ["agent", "pull_request", { ...pull, number: 12, fork: false, author: { name: "builder[bot]", kind: "bot" } }],
    ["merge-group", "merge_group", { kind: "merge-group", repository: "acme/slug", base: ids.BASE, head: ids.HEAD }],
  ])("%s", (name, event, expected) => {
    expect(readGithubEvent(event, recorded(name))).toMatchObject({ ok: true, event: expected });
  });

  test("[D11] what the author of a pull request writes is taken for a claim at most: no title, branch or label", () => {
    const read = readGithubEvent("pull_request", recorded("same-repository"));
    expect(read.ok && Object.keys(read.event).toSorted()).toEqual(
      ["author", "base", "claim", "fork", "head", "kind", "number", "opened_at", "repository"].toSorted(),
    );
  });

  test("a deleted fork is a fork, and a vanished author is nobody who is known", () => {
    const text = recorded("fork")
      .replace('{ "full_name": "eve/slug", "fork": true }', "null")
      .replace('{ "login": "eve", "type": "User" }', "null");
    expect(readGithubEvent("pull_request", text)).toMatchObject({
      ok: true,
      event: { fork: true, author: { name: "ghost", kind: "unknown" } },
    });
  });

  test.each(["pull_request_target", "workflow_run", "issue_comment"])(
    "[H14] %s is refused whatever it holds",
    (name) => {
      expect(readGithubEvent(name, recorded("same-repository"))).toMatchObject({
        ok: false,
        reason: expect.stringContaining("secrets") as string,
      });
    },
  );

  test.each([
    ["a short commit id", `"sha": "${ids.HEAD}"`, '"sha": "c0ffee"'],
    ["no head", '"head":', '"tail":'],
    [
      "a base of another repository",
      '"repository": { "full_name": "acme/slug"',
      '"repository": { "full_name": "eve/slug"',
    ],
    ["two numbers", '"action": "synchronize",\n  "number": 10', '"action": "synchronize",\n  "number": 11'],
    ["a time that is none", "2026-03-01T12:00:00Z", "yesterday"],
  ])("%s is no event", (_name, from, to) => {
    const text = recorded("same-repository").replace(from, to);
    expect(text).not.toBe(recorded("same-repository"));
    expect(readGithubEvent("pull_request", text)).toMatchObject({ ok: false });
  });

  test("any other text is no event, and never an exception", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom("pull_request", "merge_group"), (text, name) => {
        expect(readGithubEvent(name, text).ok).toBe(false);
      }),
    );
  });

  test("a repeated key is no event: two readers could take two heads", () => {
    const text = recorded("merge-group").replace('"head_sha"', `"head_sha": "${"d".repeat(40)}", "head_sha"`);
    expect(readGithubEvent("merge_group", text)).toMatchObject({ ok: false });
  });
});
