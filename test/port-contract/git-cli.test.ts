import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createGitCli } from "../../src/adapters/git/cli/index.ts";
import { openGitStage } from "../integration/git-stage.ts";
import { describeGit } from "./git-contract.ts";

describeGit("git program");

// A git whose answers are damaged on the way. Both diffs, listings, objects: whatever is hit, nothing smaller comes out.
const damages = [
  ["eats every NUL", "tr -d '\\0'"],
  ["eats the last byte", "head -c -1"],
  ["cuts the answer in half", "sh -c 'cat > $1; head -c $(( $(wc -c < $1) / 2 )) $1' sh $(mktemp)"],
  ["answers nothing", "head -c 0"],
] as const;
const commands = ["diff-tree", "ls-tree", "cat-file"] as const;

test.each(damages.flatMap(([what, filter]) => commands.map((command) => [what, command, filter] as const)))(
  "[H12] a transport that %s of `%s` ends in an error, never in a smaller number",
  async (_, command, filter) => {
    using stage = openGitStage({ files: { "a.ts": "one\n", "b.ts": "b\n" } });
    const { mirror: honest, base, room, facts } = await stage.open();
    stage.write(room, { "a.ts": "one\n\0two\n", "c.ts": "c\n" });
    const expected = await facts([{ path: "a.ts", text: "two" }]);
    const program = path.join(stage.root, "damaged-git");
    const script = `#!/bin/sh\ncase " $* " in *" ${command} "*) git "$@" | ${filter} ;; *) exec git "$@" ;; esac\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const found = await measure(stage.cache, program, { repository: stage.repository, room, base });
    expect(found).toMatchObject({
      code: expect.stringMatching(/^(?:git-facts-undecodable|mirror-broken)$/u) as string,
    });
    expect(expected.added_lines).toBe(2);
    expect(honest.objectFormat).toBe("sha1");
  },
);

async function measure(
  cacheDirectory: string,
  program: string,
  {
    repository,
    room,
    base,
  }: { readonly repository: string; readonly room: string; readonly base: { commit: string; tree: string } },
): Promise<Record<string, unknown>> {
  const mirror = await createGitCli({ cacheDirectory, program }).findMirror(repository);
  if (mirror === null) return { code: "no mirror" };
  try {
    const captured = await mirror.captureDirectory(room, base);
    return { ...(await mirror.changeFacts(base, captured, [{ path: "a.ts", text: "two" }])) };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? String(error) };
  }
}
