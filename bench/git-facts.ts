import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createGitCli } from "../src/adapters/git/cli/index.ts";

// Git facts from bytes against plain `git add -A && git diff --cached --numstat`, alternating in one run on one machine.
// `fresh index`: what an executor meets after a checkout it made itself; `warm index`: git trusts its own stat cache.
const { values } = parseArgs({
  options: { files: { type: "string", default: "50000" }, rounds: { type: "string", default: "5" } },
});
const files = Number(values.files);
const rounds = Number(values.rounds);
const changed = 50;
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};
const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "gc.auto=0"];

const root = mkdtempSync(path.join(tmpdir(), "trueup-bench-"));
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", [...identity, ...args], { cwd, env, encoding: "utf8", maxBuffer: 2 ** 28 });
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
const fileName = (index: number): string => `src/${index % 97}/${index % 31}/file-${index}.ts`;
const fileText = (index: number, mark: string): string =>
  `// ${mark} ${index}\n${`export const value${index} = ${index};\n`.repeat(20 + (index % 60))}`;

async function timed(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

try {
  const repository = path.join(root, "repository");
  mkdirSync(repository);
  git(repository, "init", "-q", "-b", "main");
  for (let index = 0; index < files; index++) {
    const target = path.join(repository, fileName(index));
    if (index < 97 * 31) mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, fileText(index, "base"));
  }
  git(repository, "add", "-A");
  git(repository, "commit", "-q", "-m", "base");
  git(repository, "repack", "-adq");
  const { mirror } = await createGitCli({ cacheDirectory: path.join(root, "cache") }).openMirror(repository);
  const base = await mirror.resolve("HEAD");
  const times = { ours: [] as number[], fresh: [] as number[], warm: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < changed; index++) {
      const target = (index * 991 + round) % files;
      writeFileSync(path.join(repository, fileName(target)), fileText(target, `round ${round}`));
    }
    // A new mirror object each round: no listing is remembered from the round before.
    const { mirror: again } = await createGitCli({ cacheDirectory: path.join(root, "cache") }).openMirror(repository);
    times.ours.push(
      await timed(async () => again.changeFacts(base, await again.captureDirectory(repository, base), [])),
    );
    git(repository, "reset", "-q", base.commit);
    const plain = (): void => {
      git(repository, "add", "-A");
      git(repository, "diff", "--cached", "--numstat", base.commit);
    };
    times.warm.push(await timed(plain));
    rmSync(path.join(repository, ".git/index"));
    git(repository, "read-tree", base.commit);
    times.fresh.push(await timed(plain));
    git(repository, "reset", "-q", base.commit);
  }
  const [ours, fresh, warm] = [median(times.ours), median(times.fresh), median(times.warm)];
  process.stdout.write(
    [
      `${files} files, ${changed} changed, median of ${rounds} rounds`,
      `git facts from bytes           ${ours.toFixed(0)} ms`,
      `plain git, fresh index         ${fresh.toFixed(0)} ms   ratio ${(ours / fresh).toFixed(2)}`,
      `plain git, warm index          ${warm.toFixed(0)} ms   ratio ${(ours / warm).toFixed(2)}`,
      "",
    ].join("\n"),
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
