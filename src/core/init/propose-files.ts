import type { AcceptanceContract, TestsEntry } from "../contract/index.ts";
import type { ProposedFile } from "./plan-init.ts";

/** What was found out about a repository. */
export interface Survey {
  /** How its tests are run, when that was tried over the untouched base and can be kept; else null. */
  readonly entry: TestsEntry | null;
  /** Scripts that npm would run before tests. */
  readonly prepare: readonly string[];
  /** Scripts for types and lint that end with 0 on the untouched base. */
  readonly guards: readonly string[];
  /** Where the Action is: `owner/trueup/action@v1`. Null: nobody said it. */
  readonly actionReference: string | null;
}

/** The files of a repository that Trueup reads, each with what is known of this one. Nothing is proposed that nothing says. */
export function proposeFiles(survey: Survey): readonly ProposedFile[] {
  const contract = standingContract(survey);
  return [
    {
      path: ".trueup/config.json",
      text: json({ version: 1, failed_records: "retries", require_contract: false }),
      why: "policy; these are the defaults, written out",
    },
    ...(contract === null
      ? []
      : [{ path: ".trueup/contract.json", text: json(contract), why: "what holds for every change" }]),
    ...(survey.actionReference === null
      ? []
      : [
          {
            path: ".github/workflows/trueup.yml",
            text: workflow(survey.actionReference),
            why: "judges pull requests and merge groups",
          },
        ]),
  ];
}

/** What holds for every change: base's tests go on passing, and what was clean stays clean. Null when nothing could be tried. */
export function standingContract({
  entry,
  prepare,
  guards,
}: Omit<Survey, "actionReference">): AcceptanceContract | null {
  if (entry === null && guards.length === 0) return null;
  const step = (name: string): { readonly command: string } => ({ command: `npm run ${name}` });
  return {
    version: 1,
    // It asks for no new behaviour: that is for the contract of a task.
    intent: "chore",
    ...(entry === null || prepare.length === 0 ? {} : { prepare: prepare.map(step) }),
    ...(entry === null ? {} : { tests: [{ command: entry.command, keep_base: true }] }),
    ...(guards.length === 0 ? {} : { commands: guards.map(step) }),
  };
}

/** Scripts that check types or style and change nothing, by their usual names. */
export function guardScripts(scripts: Readonly<Record<string, string>> | null): readonly string[] {
  const names = ["typecheck", "type-check", "types", "check-types", "lint"];
  return names.filter((name) => scripts?.[name] !== undefined && !/(?:^|\s)--(?:fix|write)\b/u.test(scripts[name]));
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A reference to an action of a repository, at a tag, branch or commit. */
export function isActionReference(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]*\/[\w.-]+(?:\/[\w.-]+)*@[\w][\w./-]*$/u.test(text) && !text.includes("..");
}

function workflow(reference: string): string {
  return `name: trueup
on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
  merge_group:
permissions:
  contents: read
  issues: read
  pull-requests: read
jobs:
  trueup:
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    steps:
      - run: |
          sudo apt-get update && sudo apt-get install -y bubblewrap
          sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0
      - uses: actions/checkout@v5
        with:
          ref: \${{ github.event.pull_request.head.sha || github.event.merge_group.head_sha }}
          fetch-depth: 0
          persist-credentials: false
      - uses: ${reference}
`;
}
