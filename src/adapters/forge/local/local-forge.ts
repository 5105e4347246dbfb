import { pathToFileURL } from "node:url";
import { TrueupError } from "../../../errors.ts";
import type { Forge, OpenPullRequest, PullRequest } from "../../../ports/index.ts";
import { createPullRequest, pullRequestPath, readPullRequests } from "./pull-request-directory.ts";
import { toPullRequest, type PullRequestFile } from "./pull-request-file.ts";

export interface LocalForgeOptions {
  /** Absolute path of a repository; its pull requests lie in `<repository>.pulls`. */
  readonly repository: string;
  /** The name our pull requests carry as author. */
  readonly account: string;
}

function toPort(options: LocalForgeOptions, file: PullRequestFile): PullRequest {
  return toPullRequest(file, pathToFileURL(pullRequestPath(options.repository, file.number)).href);
}

function newFile(options: LocalForgeOptions, request: OpenPullRequest, number: number): PullRequestFile {
  const { head_branch, base_branch, title, body } = request;
  return {
    version: 1,
    number,
    head_branch,
    base_branch,
    title,
    body,
    author: options.account,
    state: "open",
    closed_by: null,
    comments: [],
  };
}

/** Two writers that read the same list want the same number: the loser reads again and sees the winner's. */
async function open(options: LocalForgeOptions, request: OpenPullRequest): Promise<PullRequest> {
  for (;;) {
    const known = await readPullRequests(options.repository);
    const taken = known.find(({ head_branch, state }) => head_branch === request.head_branch && state === "open");
    if (taken !== undefined) {
      throw new TrueupError("forge-failed", {
        subject: request.head_branch,
        detail: `already open as number ${taken.number}`,
      });
    }
    const file = newFile(options, request, (known.at(-1)?.number ?? 0) + 1);
    if (await createPullRequest(options.repository, file)) return toPort(options, file);
  }
}

/** A forge without a server or an account: pull requests are files beside a bare repository. */
export function createLocalForge(options: LocalForgeOptions): Forge {
  return {
    name: "local",
    account: options.account,
    async listPullRequests(prefix) {
      const all = await readPullRequests(options.repository);
      return all.filter(({ head_branch }) => head_branch.startsWith(prefix)).map((file) => toPort(options, file));
    },
    openPullRequest: (request) => open(options, request),
  };
}
