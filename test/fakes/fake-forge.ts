import { TrueupError } from "../../src/errors.ts";
import type { Forge, PullRequest } from "../../src/ports/index.ts";

/** A forge in memory, with a switch that makes it fail and a door for what people do. */
export interface FakeForge extends Forge {
  /** Every call from now on fails as an unreachable forge does. */
  breakDown(): void;
  /** What another account or a person does to a pull request. */
  change(number: number, change: Partial<PullRequest>): void;
}

function fail(subject: string, detail: string): never {
  throw new TrueupError("forge-failed", { subject, detail });
}

/** A forge without pull requests. */
export function createFakeForge(account = "trueup-bot"): FakeForge {
  let broken = false;
  let all: readonly PullRequest[] = [];
  return {
    name: "fake",
    account,
    async listPullRequests(prefix) {
      if (broken) fail("fake", "unreachable");
      return all.filter(({ head_branch }) => head_branch.startsWith(prefix));
    },
    async openPullRequest(request) {
      if (broken) fail("fake", "unreachable");
      const taken = all.find(({ head_branch, state }) => head_branch === request.head_branch && state === "open");
      if (taken !== undefined) fail(request.head_branch, `already open as number ${taken.number}`);
      const number = all.length + 1;
      const opened: PullRequest = {
        ...request,
        number,
        url: `fake:///${number}`,
        state: "open",
        closed_by: null,
        author: account,
      };
      all = [...all, opened];
      return opened;
    },
    breakDown() {
      broken = true;
    },
    change(number, change) {
      all = all.map((one) => (one.number === number ? { ...one, ...change } : one));
    },
  };
}
