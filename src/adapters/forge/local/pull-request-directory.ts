import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TrueupError } from "../../../errors.ts";
import { decodePullRequest, encodePullRequest, type PullRequestFile } from "./pull-request-file.ts";

/** The directory of pull requests beside a bare repository: `<repository>.pulls`. */
export function pullsDirectory(repository: string): string {
  return `${repository.replace(/(?<=.)\/+$/u, "")}.pulls`;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Runs file operations so that what fails is `forge-failed`, or `disk-full`, with the place and the cause. */
async function answering<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const code = codeOf(cause);
    if (cause instanceof TrueupError || code === null) throw cause;
    throw new TrueupError(code === "ENOSPC" || code === "EDQUOT" ? "disk-full" : "forge-failed", {
      subject: path,
      detail: code,
      cause,
    });
  }
}

/** Throws when the repository, bare or a work tree, is gone: then nothing is known about its pull requests. */
async function expectRepository(repository: string): Promise<void> {
  await stat(join(repository, "HEAD")).catch(() => stat(join(repository, ".git")));
}

async function listNumbers(directory: string): Promise<readonly number[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith(".json") && !name.startsWith("."));
  const odd = files.find((name) => !/^[1-9]\d{0,8}\.json$/u.test(name));
  if (odd !== undefined)
    throw new TrueupError("forge-failed", { subject: join(directory, odd), detail: "not the file of a pull request" });
  return files.map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b);
}

/** Where one pull request lies. */
export function pullRequestPath(repository: string, number: number): string {
  return join(pullsDirectory(repository), `${number}.json`);
}

/** Reads one pull request. Throws `forge-failed` when it is missing or damaged. */
export function readPullRequest(repository: string, number: number): Promise<PullRequestFile> {
  const path = pullRequestPath(repository, number);
  return answering(path, async () => decodePullRequest(await readFile(path), { path, number }));
}

/** Reads all pull requests of a repository, by number. Throws `forge-failed` rather than leave one out. */
export async function readPullRequests(repository: string): Promise<readonly PullRequestFile[]> {
  const directory = pullsDirectory(repository);
  const numbers = await answering(directory, async () => {
    await expectRepository(repository);
    return listNumbers(directory);
  });
  return Promise.all(numbers.map((number) => readPullRequest(repository, number)));
}

async function writeTemporary(path: string, bytes: Uint8Array): Promise<string> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  const handle = await open(temporary, "wx", 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function linkNew(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    },
  );
}

/** Creates a pull request's file whole; false when another writer has that number. */
export function createPullRequest(repository: string, file: PullRequestFile): Promise<boolean> {
  const path = pullRequestPath(repository, file.number);
  return answering(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    const temporary = await writeTemporary(path, encodePullRequest(file));
    try {
      if (!(await linkNew(temporary, path))) return false;
    } finally {
      await rm(temporary, { force: true });
    }
    await syncDirectory(dirname(path));
    return true;
  });
}

/** Replaces a pull request's file whole. */
export function replacePullRequest(repository: string, file: PullRequestFile): Promise<void> {
  const path = pullRequestPath(repository, file.number);
  return answering(path, async () => {
    await rename(await writeTemporary(path, encodePullRequest(file)), path);
    await syncDirectory(dirname(path));
  });
}
