import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ChangeEntry } from "../../src/core/facts/index.ts";
import { openPipeline, plainGit, sh, type Delivered, type Files, type Pipeline } from "./pipeline-stage.ts";

const base: Files = {
  ".gitignore": "ignored/\n",
  "README.md": "# tiny\n",
  "docs/guide.md": "one\ntwo\nthree\n",
  "ignored/kept.txt": "tracked although ignored\n",
  "src/a.ts": "export const a = 1;\n",
  "tools/run.sh": "#!/bin/sh\n",
};

function entryOf(run: Delivered, file: string): ChangeEntry | undefined {
  return run.facts().change.entries.find((one) => one.path === file);
}

/** Nothing that blocks may leave a trace on the remote. */
function expectUnopened(pipeline: Pipeline, run: Delivered): void {
  expect([run.error, run.exit, run.status]).toEqual([null, 1, "acceptance_failed"]);
  expect(Object.keys(pipeline.refs())).toEqual(["refs/heads/main"]);
}

describe("an agent that hides lines and paths from git", () => {
  let pipeline: Pipeline;
  let uncountable: Delivered;
  let unseen: Delivered;

  beforeAll(async () => {
    pipeline = openPipeline(base);
    uncountable = await pipeline.deliver({
      contract: { changed_files_only: ["src/**", "gen/**"], max_added_lines: 100 },
      steps: [
        { write: { path: ".gitattributes", text: "*.ts -diff\ngen/** linguist-generated -diff\n" } },
        sh("mkdir gen; seq 1 503 | tr '\\n' '\\000' | sed 's/\\x00/\\x00\\n/g' >src/nul.ts; seq 1 40 >gen/out.js"),
      ],
    });
    unseen = await pipeline.deliver({
      contract: { changed_files_only: ["src/**"], max_added_lines: 100 },
      steps: [
        sh(`set -e
git update-index --assume-unchanged README.md; echo more >>README.md
git update-index --skip-worktree tools/run.sh; echo more >>tools/run.sh; echo more >>ignored/kept.txt
git config core.sparseCheckout true; printf '/src/\\n' >.git/info/sparse-checkout
printf 'secret.txt\\n' >>.git/info/exclude; echo x >secret.txt; echo x >ignored/new.txt
seq 1 503 >src/big.ts; git add src/big.ts; git commit -q -m 'nothing to see'; mv docs/guide.md src/guide.md`),
      ],
    });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E13] 103: a `-diff` attribute and NUL bytes leave all 503 lines counted", () => {
    expectUnopened(pipeline, uncountable);
    expect(entryOf(uncountable, "src/nul.ts")).toMatchObject({ added_lines: 503, true_binary: false });
    expect(uncountable.blocks).toContain("added-lines-over max_added_lines");
  });

  test("[E13] 104: `linguist-generated -diff` folds nothing away, and the attributes themselves are protected", () => {
    expect(entryOf(uncountable, "gen/out.js")?.added_lines).toBe(40);
    expect(uncountable.blocks).toEqual([
      "added-lines-over max_added_lines",
      "outside-scope .gitattributes",
      "protected-path .gitattributes",
      "trust-root-changed .gitattributes",
    ]);
  });

  test("[E13] 109: files marked assume-unchanged or skip-worktree are seen as changed", () => {
    expectUnopened(pipeline, unseen);
    expect(unseen.artifact("transcript.txt")).toContain('"ran","text":"exit 0"');
    expect(unseen.blocks).toEqual(expect.arrayContaining(["outside-scope README.md", "outside-scope tools/run.sh"]));
  });

  test("[E13] 111: lines that the agent committed itself are counted against the pinned base", () => {
    expect(entryOf(unseen, "src/big.ts")?.added_lines).toBe(503);
    expect(unseen.blocks).toContain("added-lines-over max_added_lines");
  });

  test("[E13] a rename is a deletion outside the scope and a whole new file", () => {
    expect(unseen.blocks).toContain("outside-scope docs/guide.md");
    expect(entryOf(unseen, "src/guide.md")).toMatchObject({ status: "added", added_lines: 3 });
    expect(entryOf(unseen, "docs/guide.md")).toMatchObject({ status: "deleted", deleted_lines: 3 });
  });

  test("[E13] info/exclude hides nothing, a tracked file stays visible when ignored, an ignored new one is no part", () => {
    expect(unseen.blocks).toEqual(
      expect.arrayContaining(["outside-scope ignored/kept.txt", "outside-scope secret.txt"]),
    );
    expect(entryOf(unseen, "ignored/new.txt")).toBeUndefined();
  });
});

describe("an agent that leaves what no review would open", () => {
  let pipeline: Pipeline;
  let run: Delivered;

  beforeAll(async () => {
    pipeline = openPipeline(base);
    run = await pipeline.deliver({
      contract: {
        changed_files_only: ["src/**"],
        file_contains: [
          { path: "src/a.ts", text: "root:" },
          { path: "src/link.ts", text: "wanted" },
        ],
      },
      steps: [
        sh(`set -e
git init -q src/sub; git -C src/sub -c user.name=a -c user.email=a@b.invalid commit -q --allow-empty -m x; git add src/sub 2>/dev/null
git config diff.ignoreSubmodules all
printf '[submodule "sub"]\\n\\tpath = src/sub\\n\\turl = ext::touch /tmp/x\\n\\tignore = all\\n' >.gitmodules
git init -q src/embedded; echo hidden >src/embedded/file.ts
ln -sf /etc/passwd src/a.ts
mkdir -p ignored; echo wanted >ignored/x.ts; ln -s ../ignored/x.ts src/link.ts
chmod +x README.md; mkfifo src/pipe; echo 1 >src/Twin.ts; echo 2 >src/twin.ts
printf x >"$(printf 'src/new\\nline.ts')"; printf x >"$(printf 'src/\\377.ts')"; printf x >'src/*?.ts'; mkdir src/.GIT; echo x >src/.GIT/config`),
      ],
    });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E13] 113: a submodule hidden by `ignore = all` blocks, and so does .gitmodules", () => {
    expectUnopened(pipeline, run);
    expect(run.blocks).toContain("protected-path .gitmodules");
    expect(run.blocks.some((one) => /^hazard-(?:nested-repository|submodule) src\/sub/u.test(one))).toBe(true);
  });

  test("[E13] 114: a repository inside the tree blocks", () => {
    expect(run.blocks.some((one) => one.startsWith("hazard-nested-repository src/embedded"))).toBe(true);
  });

  test("[E4] 115: a source that became a link out of the tree blocks, and its target answers no content check", () => {
    expect(run.blocks).toContain("hazard-symlink-outside src/a.ts");
    expect(run.blocks).toContain("content-missing src/a.ts");
  });

  test("[E4] 115: a link into an ignored directory is not read through", () => {
    expect(run.blocks).toContain("content-missing src/link.ts");
    expect(run.facts().change.contents.map((one) => [one.kind, one.found])).toEqual([
      ["symlink", false],
      ["symlink", false],
    ]);
  });

  test("[E13] 118: a changed mode alone is a changed path", () => {
    expect(entryOf(run, "README.md")).toMatchObject({ new_mode: "100755", added_lines: 0, deleted_lines: 0 });
    expect(run.blocks).toContain("outside-scope README.md");
  });

  test.each([
    ["a pipe", "hazard-device-or-socket src/pipe"],
    ["a name that is another one in capitals", "hazard-name-collision src/twin.ts"],
    ["a line break in a name", "hazard-control-character src/new\nline.ts"],
    ["bytes that are no UTF-8", "hazard-invalid-utf8 src/\\xff.ts"],
    ["a directory named like git's own", "hazard-git-like-name src/.GIT"],
  ])("[E13] %s blocks under its own code", (_name, code) => {
    const [kind, file = ""] = code.split(/ (.*)/su);
    const found = run.blocks.filter((one) => one.startsWith(`${kind} `)).map((one) => one.toLowerCase());
    expect(found.join("\n")).toContain(file.toLowerCase());
  });

  test("[E13] a name of glob characters is a path, not a pattern", () => {
    expect(entryOf(run, "src/*?.ts")).toMatchObject({ status: "added", added_lines: 1 });
  });
});

/** Commands that a repository's own configuration may name; each would leave a mark on this machine. */
const traps = ["fsmonitor", "clean", "external", "textconv", "gpg", "ssh", "include", "credential"] as const;

/** What the agent sets up in its `.git`: programs to be run by whoever uses git there, and another place to push to. */
function armed(home: string, remote: string): string {
  const mark = (name: string): string => `touch ${home}/marker-${name}; cat`;
  return `set -e
git config core.fsmonitor '${mark("fsmonitor")}; false'
git config filter.x.clean '${mark("clean")}; echo replaced';
printf '* filter=x diff=x\\n' >.git/info/attributes
git config diff.external '${mark("external")} >/dev/null'; git config diff.x.textconv '${mark("textconv")} >/dev/null; :'
git config gpg.program '${mark("gpg")}'; git config commit.gpgsign true; git config core.sshCommand '${mark("ssh")}'
printf '[alias]\\n\\tadd = !${mark("include")}\\n[core]\\n\\tpager = ${mark("include")}\\n' >.git/more; git config include.path more
git config credential.helper '!${mark("credential")}'
git config url.${home}/decoy.git.insteadOf ${remote}; git config remote.origin.url ${remote}; git config remote.origin.pushurl ${home}/decoy.git
mkdir -p .git/hooks; for hook in pre-commit post-commit pre-push post-index-change reference-transaction; do
  printf '#!/bin/sh\\n[ -z "$TRAPPED" ] || exit 0\\nexport TRAPPED=1\\ntouch ${home}/marker-hook\\necho evil >evil.txt\\n/usr/bin/git add evil.txt\\n' >.git/hooks/$hook; chmod +x .git/hooks/$hook
done
git config diff.noprefix true; git config diff.context 9; git config color.ui always; git config diff.mnemonicPrefix true`;
}

describe("an agent whose repository is a trap for whoever runs git in it", () => {
  const wanted = "export const a = 2;\n";
  const contract = { changed_files_only: ["src/**"], changed_files_required: ["src/a.ts"] };
  let pipeline: Pipeline;
  let run: Delivered;

  beforeAll(async () => {
    pipeline = openPipeline(base);
    plainGit(pipeline.home, "init", "-q", "--bare", "decoy.git");
    const push = `git push -q ${pipeline.remote} HEAD:refs/heads/mine || true; mkdir -p ${pipeline.remote}.pulls && echo '{}' >${pipeline.remote}.pulls/1.json || true`;
    const steps = [
      { write: { path: "src/a.ts", text: wanted } },
      sh(push),
      sh(armed(pipeline.home, pipeline.remote)),
      { say: "armed" },
    ];
    run = await pipeline.deliver({ contract, steps });
  });
  afterAll(() => pipeline[Symbol.dispose]());

  test("[E1] the honest change beside the traps is published", () => {
    expect([run.error, run.exit, run.status, run.blocks]).toEqual([null, 0, "published", []]);
    expect(run.artifact("transcript.txt")).toMatch(/"ran","text":"exit 0"[\s\S]*armed/u);
  });

  test("[E13] 108: no clean filter turns the bytes tested into other bytes published", () => {
    expect(plainGit(pipeline.remote, "show", `${run.commit}:src/a.ts`)).toBe(wanted);
  });

  test.each([...traps, "hook"])("[E13] 121: the program named by %s never runs on this machine", (name) => {
    expect(existsSync(path.join(pipeline.home, `marker-${name}`))).toBe(false);
  });

  test("the same traps do run for whoever trusts the agent's repository, so the marks mean something", () => {
    const trusting = pipeline.clone("trusting");
    const use = "set +e; echo x >>src/a.ts; git add -A; git diff --cached; git commit -q -m x";
    spawnSync("/bin/sh", ["-c", `${armed(pipeline.home, pipeline.remote)}\n${use}`], {
      cwd: trusting,
      stdio: "ignore",
      timeout: 20_000,
    });
    const marked = [...traps, "hook"].filter((name) => existsSync(path.join(pipeline.home, `marker-${name}`)));
    expect(marked).toEqual(expect.arrayContaining(["fsmonitor", "clean", "external", "hook"]));
  });

  test("[E13] 122: the patch among the artifacts holds the whole change, and makes the published tree", () => {
    expect(run.artifact("diff.patch")).toContain("-export const a = 1;\n+export const a = 2;\n");
    const person = pipeline.clone("person");
    plainGit(person, "apply", "--index", path.join(run.out, "diff.patch"));
    expect(plainGit(person, "write-tree").trim()).toBe(run.facts().change.tree);
  });

  test("[E13] 123: hooks add nothing: the published tree is the verified one", () => {
    expect(plainGit(pipeline.remote, "rev-parse", `${run.commit}^{tree}`).trim()).toBe(run.verdict?.tree);
    expect(plainGit(pipeline.remote, "ls-tree", "-r", "--name-only", run.commit ?? "")).not.toContain("evil");
  });

  test("[E13] 124: insteadOf and pushurl send the branch nowhere else", () => {
    expect(plainGit(path.join(pipeline.home, "decoy.git"), "for-each-ref")).toBe("");
    expect(pipeline.refs()[`refs/heads/${run.branch}`]).toBe(run.commit);
  });

  test("[F4] the agent pushes no branch and opens no pull request itself", async () => {
    expect(Object.keys(pipeline.refs())).toEqual(["refs/heads/main", `refs/heads/${run.branch}`]);
    expect((await pipeline.pulls()).map((one) => [one.number, one.head_branch])).toEqual([[1, run.branch]]);
  });

  test("[G6] 126, 127: GIT_* variables and diff settings of the caller move neither facts nor the branch's name", async () => {
    const decoy = path.join(pipeline.home, "decoy.git");
    pipeline.write({
      gitconfig: `[diff]\n\tnoprefix = true\n\tcontext = 9\n\texternal = touch ${pipeline.home}/marker-user\n[color]\n\tui = always\n[url "${decoy}"]\n\tinsteadOf = ${pipeline.remote}\n`,
    });
    const leaked = {
      GIT_DIR: decoy,
      GIT_INDEX_FILE: path.join(pipeline.home, "index"),
      GIT_WORK_TREE: pipeline.home,
      GIT_OBJECT_DIRECTORY: path.join(decoy, "objects"),
      GIT_CONFIG_GLOBAL: path.join(pipeline.home, "gitconfig"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.${decoy}.insteadOf`,
      GIT_CONFIG_VALUE_0: pipeline.remote,
      GIT_EXTERNAL_DIFF: `touch ${pipeline.home}/marker-user`,
    };
    for (const [name, value] of Object.entries(leaked)) vi.stubEnv(name, value);
    const steps = [{ write: { path: "src/a.ts", text: wanted } }];
    const again = await pipeline.deliver({ contract, steps, env: leaked }).finally(() => vi.unstubAllEnvs());
    expect([again.error, again.status, again.branch]).toEqual([null, "attached", run.branch]);
    expect(again.facts().change).toEqual(run.facts().change);
    expect(existsSync(path.join(pipeline.home, "marker-user"))).toBe(false);
  });

  test("[G6] 128: two different pictures under one name are two changes on two branches", async () => {
    const picture = (bytes: string) => sh(`mkdir assets; printf '\\211PNG\\r\\n\\032\\n${bytes}' >assets/logo.png`);
    const assets = { changed_files_only: ["assets/**"], changed_files_required: ["assets/logo.png"] };
    const one = await pipeline.deliver({ contract: assets, steps: [picture("one")] });
    const two = await pipeline.deliver({ contract: assets, steps: [picture("two")] });
    expect([one.status, two.status]).toEqual(["published", "published"]);
    expect(entryOf(one, "assets/logo.png")?.true_binary).toBe(true);
    expect(one.branch).not.toBe(two.branch);
  });
});

test("120: export-ignore and export-subst leave the clean room's tree whole and raw", async () => {
  using pipeline = openPipeline({
    ...base,
    ".gitattributes": "test/** export-ignore\nversion.txt export-subst\n",
    "test/a.txt": "kept\n",
    "version.txt": "$Format:%H$\n",
  });
  const commands = [{ command: "grep -q kept test/a.txt" }, { command: "grep -q Format:%H version.txt" }];
  const steps = [{ append: { path: "src/a.ts", text: "// more\n" } }];
  const run = await pipeline.deliver({ contract: { changed_files_only: ["src/**"], commands }, steps });
  expect([run.error, run.blocks, run.status]).toEqual([null, [], "published"]);
});
