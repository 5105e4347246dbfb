import { describe, expect, it } from "vitest";
import { parseRepoAddress } from "./repo-address.ts";

const good: readonly [text: string, kind: string][] = [
  ["acme/slug", "name"],
  ["a-b/c.d_e", "name"],
  ["https://example.org/a/b.git", "https"],
  ["https://example.org:8443/a/b", "https"],
  ["ssh://git@example.org/a/b", "ssh"],
  ["ssh://example.org/a/b", "ssh"],
  ["git@example.org:a/b.git", "ssh"],
  ["/tmp/a b/remote.git", "path"],
  ["./remote", "path"],
  ["../remote", "path"],
  [".", "path"],
  ["~/remote", "path"],
  ["file:///tmp/remote.git", "path"],
];

const bad: readonly [name: string, text: string, words: string][] = [
  ["one word", "slug", "neither"],
  ["three words", "a/b/c", "neither"],
  ["a user name in https", "https://user@example.org/a/b", "credentials"],
  ["a password in https", "https://user:secret@example.org/a/b", "credentials"],
  ["a token as user", "https://ghp_x@example.org/a/b", "credentials"],
  ["a password in ssh", "ssh://git:secret@example.org/a/b", "credentials"],
  ["another user in ssh", "root@example.org:a/b", "credentials"],
  ["plain http", "http://example.org/a/b", "only https and ssh"],
  ["the git protocol", "git://example.org/a/b", "only https and ssh"],
  ["a helper that runs a command", "ext::sh -c id", "not a valid address"],
  ["a flag", "--upload-pack=id", "begins with -"],
  ["a host that is a flag", "ssh://-oProxyCommand=id/a", "valid|host"],
  ["a path that is a flag", "host:-a", "not a valid address"],
  ["a newline", "a/b\n", "control"],
  ["space", " a/b", "space"],
  ["a query", "https://example.org/a?token=x", "query"],
  ["no repository", "https://example.org", "names no repository"],
  ["a dot as name", "a/..", "neither"],
];

describe("parseRepoAddress", () => {
  it.each(good)("%s is a %s address", (text, kind) => {
    expect(parseRepoAddress(text)).toMatchObject({ ok: true, address: { kind } });
  });

  it.each(bad)("refuses %s", (_name, text, words) => {
    const result = parseRepoAddress(text);
    expect(result.ok ? "accepted" : result.reason).toMatch(new RegExp(words, "u"));
  });
});
