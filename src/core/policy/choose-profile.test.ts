import { describe, expect, test } from "vitest";
import type { RequestFacts } from "../facts/index.ts";
import { chooseProfile, type PolicyFile } from "./index.ts";

type Author = NonNullable<RequestFacts["author"]>;
const person: Author = { name: "ada", kind: "person", permission: "write" };
const profiles: PolicyFile["profiles"] = [
  { profile: "agent", author: "person", paths: ["infra/**"] },
  { profile: "person", author: "person", permission: "write" },
  { profile: "person", author: "bot", paths: ["package.json", "package-lock.json"] },
];

describe("chooseProfile", () => {
  test.each<[string, Author | null, readonly string[], string]>([
    ["a person who may write", person, ["src/a.ts"], "person profiles[1]: a person with write permission"],
    ["a person who may not", { ...person, permission: "less" }, ["src/a.ts"], "agent, since none matches"],
    [
      "a person of whom that is not known",
      { ...person, permission: "unknown" },
      ["src/a.ts"],
      "agent, since none matches",
    ],
    ["the first that matches", person, ["infra/a.tf"], "agent profiles[0]: a person"],
    [
      "paths have to match every one",
      person,
      ["infra/a.tf", "src/a.ts"],
      "person profiles[1]: a person with write permission",
    ],
    ["a bot within its paths", { ...person, kind: "bot" }, ["package.json"], "person profiles[2]: a bot"],
    ["a bot beyond them", { ...person, kind: "bot" }, ["package.json", "src/a.ts"], "agent, since none matches"],
    ["a bot that changes nothing", { ...person, kind: "bot" }, [], "agent, since none matches"],
    ["an author that nobody knows", { ...person, kind: "unknown" }, ["src/a.ts"], "agent, since none matches"],
    ["no forge that says who", null, ["src/a.ts"], "agent, since none matches"],
  ])("%s", (_who, author, paths, wanted) => {
    const chosen = chooseProfile({ version: 1, profiles }, { author, paths });
    expect(chosen === null ? "agent, since none matches" : `${chosen.name} ${chosen.because}`).toBe(wanted);
  });

  test("a policy without profiles has none, whoever asks", () => {
    expect(chooseProfile({ version: 1 }, { author: person, paths: ["a"] })).toBeNull();
    expect(chooseProfile({ version: 1, profiles: [] }, { author: person, paths: ["a"] })).toBeNull();
  });
});
