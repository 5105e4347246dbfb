import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLocalForge } from "../../src/adapters/forge/local/local-forge.ts";
import { recordPersonDecision } from "../../src/adapters/forge/local/person.ts";
import { describeForgeContract } from "./forge-contract.ts";

async function createRepository(): Promise<{ root: string; repository: string }> {
  const root = await mkdtemp(join(tmpdir(), "trueup-forge-"));
  const repository = join(root, "remote.git");
  await mkdir(repository);
  await writeFile(join(repository, "HEAD"), "ref: refs/heads/main\n");
  return { root, repository };
}

describeForgeContract("local", async () => {
  const { root, repository } = await createRepository();
  return {
    open: () => createLocalForge({ repository, account: "trueup-bot" }),
    decide: (number, decision, by, comment) =>
      recordPersonDecision({ repository, number, decision, by, ...(comment === undefined ? {} : { comment }) }),
    breakDown: () => rename(repository, join(root, "moved.git")),
    dispose: () => rm(root, { recursive: true }),
  };
});

describe("forge: local files", () => {
  let root: string;
  let repository: string;
  beforeEach(async () => {
    ({ root, repository } = await createRepository());
  });
  afterEach(() => rm(root, { recursive: true }));

  const request = { head_branch: "trueup/0123456789ab", base_branch: "main", title: "t", body: "b" };

  test("files lie beside the repository, also when its path ends in a slash, and nothing temporary stays", async () => {
    const forge = createLocalForge({ repository: `${repository}/`, account: "bot" });
    const { url } = await forge.openPullRequest(request);
    expect(await readdir(`${repository}.pulls`)).toEqual(["1.json"]);
    expect(JSON.parse(await readFile(new URL(url), "utf8"))).toMatchObject({ version: 1, number: 1, ...request });
  });

  const damages: { name: string; file: string; content: string }[] = [
    { name: "cut in the middle", file: "1.json", content: '{"version":1,"number":1,"head_br' },
    { name: "emptied", file: "1.json", content: "" },
    { name: "given an unknown key", file: "1.json", content: JSON.stringify({ passed: true }) },
    { name: "copied over another number", file: "2.json", content: "COPY" },
    { name: "joined by a file with an odd name", file: "01.json", content: "COPY" },
  ];
  test.each(damages)(
    "[G4] a pull request's file that is $name stops everything: it could be the one a reviewer closed",
    async ({ file, content }) => {
      const forge = createLocalForge({ repository, account: "bot" });
      await forge.openPullRequest(request);
      const good = await readFile(join(`${repository}.pulls`, "1.json"), "utf8");
      await writeFile(join(`${repository}.pulls`, file), content === "COPY" ? good : content);
      await expect(forge.listPullRequests("elsewhere/")).rejects.toMatchObject({ code: "forge-failed" });
      await expect(forge.openPullRequest({ ...request, head_branch: "other" })).rejects.toMatchObject({
        code: "forge-failed",
      });
    },
  );

  test("[G4] a closed pull request that does not say who closed it is damage", async () => {
    const forge = createLocalForge({ repository, account: "bot" });
    await forge.openPullRequest(request);
    const path = join(`${repository}.pulls`, "1.json");
    await writeFile(path, (await readFile(path, "utf8")).replace('"state": "open"', '"state": "closed"'));
    await expect(forge.listPullRequests("")).rejects.toMatchObject({ code: "forge-failed" });
  });

  test("a file in the place of the directory is an error", async () => {
    await writeFile(`${repository}.pulls`, "");
    await expect(createLocalForge({ repository, account: "bot" }).listPullRequests("")).rejects.toMatchObject({
      code: "forge-failed",
      detail: "ENOTDIR",
    });
  });

  test("a comment keeps the state, and the last comment stands beside who closed it", async () => {
    const forge = createLocalForge({ repository, account: "bot" });
    await forge.openPullRequest(request);
    const ada = { kind: "person", name: "ada" } as const;
    await recordPersonDecision({ repository, number: 1, decision: "comment", by: ada, comment: "hm" });
    expect(await forge.listPullRequests("")).toMatchObject([{ state: "open", closed_by: null }]);
    await recordPersonDecision({ repository, number: 1, decision: "close", by: ada });
    expect(await forge.listPullRequests("")).toMatchObject([{ closed_by: { name: "ada", comment: "hm" } }]);
  });
});
