import { readPullRequest, replacePullRequest } from "./pull-request-directory.ts";
import type { PullRequestFile } from "./pull-request-file.ts";

/** What somebody else than the executor does with a pull request. `kind` `vanished`: its branch or fork is gone. */
export interface PersonDecision {
  readonly repository: string;
  readonly number: number;
  readonly decision: "comment" | "close" | "merge" | "reopen";
  readonly by: { readonly kind: "person" | "bot" | "vanished"; readonly name: string };
  readonly comment?: string;
}

function decided(file: PullRequestFile, { decision, by, comment }: PersonDecision): PullRequestFile {
  const comments = comment === undefined ? file.comments : [...file.comments, { author: by.name, text: comment }];
  switch (decision) {
    case "comment":
      return { ...file, comments };
    case "close":
      return { ...file, comments, state: "closed", closed_by: by };
    case "merge":
      return { ...file, comments, state: "merged", closed_by: null };
    case "reopen":
      return { ...file, comments, state: "open", closed_by: null };
  }
}

/** Records a decision in the file only; the repository's branches are the person's to change. Not on the port: we never close. */
export async function recordPersonDecision(decision: PersonDecision): Promise<void> {
  const file = await readPullRequest(decision.repository, decision.number);
  await replacePullRequest(decision.repository, decided(file, decision));
}
