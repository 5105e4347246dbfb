import type { ErrorRow } from "./error-table.ts";

/** The rows about what a person does beside the judgement: hooks, overrides, handing over. Part of the one table. */
export const personErrorRows = {
  "hook-unwritable": {
    category: "environment",
    message: "A hook's file cannot be read or written",
    hint: "Check who owns it, then run the same command again; what is already done stays done.",
  },
  "hook-in-the-way": {
    category: "configuration",
    message: "There is a hook of another tool here, and one that was kept when ours was installed",
    hint: "Join the two into one file, remove the other, and run `trueup hook install` again.",
  },
  "hook-settings-invalid": {
    category: "configuration",
    message: "The agent's settings are not JSON of the expected shape: nothing was changed",
    hint: "Mend the file (comments and trailing commas are not JSON), then run the same command again.",
  },
  "hook-input-invalid": {
    category: "usage",
    message: "The hook was given something else than git gives its hooks",
    hint: "This command is for git to call; `trueup hook install` sets it up.",
  },
  "handoff-without-verdict": {
    category: "usage",
    message: "There is no verdict to hand over",
    hint: "Run `trueup check` first, or name the directory of its artifacts: a handoff says only what was judged.",
  },
  "handoff-not-accepted": {
    category: "usage",
    message: "The work is not accepted, so it is not handed over as done",
    hint: "Mend what the verdict names and run `trueup check` again, or hand it over as it is with `--unfinished`.",
  },
  "handoff-moved": {
    category: "usage",
    message: "The work tree is not what was judged",
    hint: "Run `trueup check` again, or hand it over as it is with `--unfinished`.",
  },
  "override-not-a-person": {
    category: "configuration",
    message: "Only a person at a terminal overrides a finding",
    hint: "Run the command yourself, in a terminal of your own; an agent or a CI job has no override.",
  },
  "override-not-confirmed": {
    category: "usage",
    message: "The finding's code was not typed: nothing was signed",
    hint: "Run the command again and type the code exactly as it is shown.",
  },
  "override-finding-missing": {
    category: "usage",
    message: "The judged change has no such finding that decides",
    hint: "Run `trueup check` and name a code, and a subject where there are several, as it prints them.",
  },
  "override-refused": {
    category: "configuration",
    message: "This override would not hold",
    hint: "Read the detail; nothing was written.",
  },
  "override-no-signers": {
    category: "configuration",
    message: "Nobody may override here: the base revision names no allowed signer",
    hint: 'Put one line `NAME KEYTYPE KEY` a person into `.trueup/allowed_signers` (`echo "you@example.com $(cat ~/.ssh/id_ed25519.pub)"`), have it reviewed, and merge it to the base branch first: docs/overrides.md.',
  },
  "override-key-unusable": {
    category: "configuration",
    message: "The signing key cannot be used",
    hint: "Name a private key with its `.pub` beside it: `--key ~/.ssh/id_ed25519`.",
  },
  "override-not-versioned": {
    category: "configuration",
    message: "The override would not be under version control",
    hint: "Let git see `.trueup/overrides/`: take it out of `.gitignore`. An override that nobody can look up later does not hold.",
  },
  "override-change-moved": {
    category: "usage",
    message: "The change is not the one that was judged",
    hint: "Run `trueup check` again and sign what it judges.",
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;
