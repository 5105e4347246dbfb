import type { FindingCode } from "../core/gate/index.ts";

/** Words for one code: what was found, and what to do about it. */
export interface FindingWords {
  readonly title: string;
  readonly hint: string;
}

const again = "Run it again; if it stays, the runner or the sandbox is not to be trusted here.";
const evidence = (title: string): FindingWords => ({ title, hint: again });
const entry = (title: string, hint = "Take it out of the change."): FindingWords => ({ title, hint });

const newRow = "Take the row out; a person signs a new one with `trueup override add`.";

const look = (title: string): FindingWords => ({ title, hint: "Look at it in review; it may be right." });

/** The one table from code to words; the type makes it complete. */
const table: Readonly<Record<FindingCode, FindingWords>> = {
  "outside-scope": {
    title: "A file outside the scope changed",
    hint: "Take it out of the change, or widen `changed_files_only` before the work starts.",
  },
  "required-not-changed": {
    title: "A required file did not change",
    hint: "Change it, or take it out of `changed_files_required`.",
  },
  "forbidden-path": { title: "A forbidden file changed", hint: "Take it out of the change." },
  "soft-path": { title: "A soft path outside the scope changed", hint: "Nothing to do; look at it in review." },
  "added-lines-over": { title: "More lines were added than allowed", hint: "Make the change smaller." },
  "deleted-lines-over": { title: "More lines were deleted than allowed", hint: "Make the change smaller." },
  "changed-files-over": { title: "More files changed than allowed", hint: "Make the change smaller." },
  "changed-bytes-over": { title: "More bytes changed than allowed", hint: "Make the change smaller." },
  "content-missing": {
    title: "A promised text is not in the file",
    hint: "Add it; links and submodules do not count.",
  },
  "content-present": {
    title: "A forbidden text is in the file",
    hint: "Take it out; links and submodules do not count as clean.",
  },
  "content-not-read": { title: "A file's content was not read", hint: "Gather the facts again." },
  "protected-path": {
    title: "A protected path changed",
    hint: "Take it out of the change, or open it with `allow_protected` before the work starts.",
  },
  "trust-root-changed": {
    title: "A file that steers the tests changed",
    hint: "Take it out of the change, or open it with `allow_protected`; the grade says what that costs.",
  },
  "no-change": { title: "Nothing changed", hint: "The work was not done; an empty change is no success." },
  "nothing-to-check": {
    title: "There is nothing to check",
    hint: "Add a criterion to the contract: a test command, a scope, a limit. In a session, run commands with `trueup run`.",
  },
  "contract-changed": {
    title: "The contract is not the one that was pinned",
    hint: "Start a new attempt with the contract that holds.",
  },
  "contract-ambiguous": {
    title: "More than one issue that this pull request closes holds a contract",
    hint: "Close one of them only, or leave one contract; two cannot be held against one change.",
  },
  "contract-untrusted": {
    title: "The contract in the issue was not written by people who may write here",
    hint: "A person with write permission writes it in an issue of their own, or into `.trueup/contract.json` of the base.",
  },
  "contract-spent": {
    title: "The issue with the contract is closed already",
    hint: "Its task is done. Open a new issue with a contract of its own, and a pull request that closes it.",
  },
  "contract-unpinned": {
    title: "Which contract held when the pull request was opened is not known",
    hint: "Run it again if the forge did not answer; else open a new pull request that closes the issue from its first text on.",
  },
  "contract-unreadable": {
    title: "The contract in the issue is not valid",
    hint: "Run `trueup contract check` on the issue's text, mend it, and open the pull request anew.",
  },
  "gate-not-first": {
    title: "Something ran in this job before the gate",
    hint: "Give trueup a job of its own, with nothing between the checkout and it; see docs/ci.md.",
  },
  "contract-vacuous": {
    title: "The untouched base already meets the contract",
    hint: "Demand what is new (`added`, `names`, a higher `passed`), or give another `intent`.",
  },
  "not-built": {
    title: "The contract asks for something this version does not check",
    hint: "Take the key out, or check it by hand.",
  },
  "not-measured": {
    title: "Something could not be measured",
    hint: "Read the detail; nothing unmeasured is taken for a pass.",
  },
  "project-not-affected": {
    title: "A project of the repository was not run",
    hint: "Give it an entry of its own in `tests` when it uses what the change touches.",
  },
  "service-not-ready": {
    title: "A service did not come up",
    hint: "See the end of the run's standard error, where its own last words stand, and its `command` and `ready`.",
  },
  "prepare-failed": { title: "A prepare step failed", hint: "Mend the build; tests of a stale build are not run." },
  "prepare-not-run": { title: "A prepare step did not run", hint: "Gather the facts again." },
  "command-failed": {
    title: "An acceptance command failed",
    hint: "Read its output among the artifacts or in `trueup log`. A retry that passed does not undo it: change something, then run it again.",
  },
  "command-not-run": {
    title: "An acceptance command did not run",
    hint: "Run it with `trueup run -- COMMAND`: only what was recorded counts.",
  },
  "null-exit": {
    title: "A process ended without an exit code to believe",
    hint: "Read the cause. Too slow: raise `timeout_seconds`. Not found: put the name right and run it again with `--retry-of`.",
  },
  "stale-record": {
    title: "No record of this command passed over the judged tree",
    hint: "Run it again with `trueup run`: what passed before the last edit does not count.",
  },
  "log-broken": {
    title: "The record log cannot be believed",
    hint: "It was cut, altered or written by another version. Start a new session and run the commands again.",
  },
  "log-unanchored": {
    title: "The record log has no anchor that names its end",
    hint: "Start a new session with `trueup start` and run the commands again.",
  },
  "rule-broken": {
    title: "A rule of the repository is broken",
    hint: "Mend the line. The rule stands in `.trueup/config.json` of the base.",
  },
  "rule-not-looked": {
    title: "A rule could not be looked at in a file",
    hint: "It is no text, or too long: a person has to look.",
  },
  "rule-ended": { title: "A rule has ended", hint: "Take it out of `.trueup/config.json`, or give it another day." },
  "hook-never-fired": {
    title: "An agent's hook is installed and never fired in this session",
    hint: "Run `trueup doctor`: it fires each layer and says which answers. Where no agent worked, there is nothing to do.",
  },
  "count-not-measured": {
    title: "Counts and names were not measured: nothing was run again",
    hint: "Run `trueup check`: it runs the tests in a clean room and counts them.",
  },
  "stale-run": { title: "A run was over another tree than the one judged", hint: "Gather the facts again." },
  "run-unasked": {
    title: "A run does not belong to the contract",
    hint: "Gather the facts again under this contract.",
  },
  "test-not-run": {
    title: "A test command did not run",
    hint: "Read what stopped it; nothing that did not run is taken for a pass.",
  },
  "tree-written": {
    title: "The test run changed files of the tree",
    hint: "What was tested last is not what would be published. Let tests write elsewhere.",
  },
  "test-exit": { title: "The test command's exit code says failure", hint: "Read its output among the artifacts." },
  "run-not-passed": {
    title: "The runner itself does not say that the run passed",
    hint: "Read its output among the artifacts.",
  },
  "expectation-changed": {
    title: "What a test of base expected does not hold any more",
    hint: "Mend the source, or name the test in `retired` or `may_update` before the work starts.",
  },
  "green-on-base": {
    title: "The new tests pass without the change",
    hint: "A test of new behaviour fails on base. If nothing new is meant, give another `intent`, or `red_on_base: none`.",
  },
  "no-new-test": {
    title: "Sources changed and no test is new",
    hint: "Ask for one with `added` or `names`, or look at the change in review.",
  },
  "direction-not-measured": {
    title: "Whether new tests fail on base was not measured",
    hint: "Read the detail; nothing unmeasured is taken for a pass.",
  },
  "flaky-on-base": {
    title: "A test fails now and then on base too",
    hint: "It is left out of the judgement. Mend it: what it tests is not judged.",
  },
  quarantined: {
    title: "A test that is in quarantine fails",
    hint: "It is left out of the judgement until its day in `.trueup/config.json` of the base. Mend it before.",
  },
  "quarantine-ended": {
    title: "A quarantine has ended",
    hint: "Its test is judged like any other. Mend it, then take the line out of `.trueup/config.json`, or give it another day.",
  },
  "canary-flipped": {
    title: "A planted test that must fail did not fail, or planting it changed the others",
    hint: "Something in the change decides how tests end. Read the test files and what they import.",
  },
  "canary-not-run": {
    title: "Planted must-fail tests did not run",
    hint: "Read the detail; nothing unmeasured is taken for a pass.",
  },
  "no-tests-ran": { title: "No test ran", hint: "Check the command's file arguments and `cwd`." },
  "module-failed": { title: "A test file failed as a whole", hint: "It did not load, or a hook of it threw." },
  "module-empty": { title: "A test file holds no test", hint: "Write the test, or take the file out." },
  "unhandled-error": {
    title: "An error was thrown outside any test",
    hint: "Find the promise or timer that outlives its test.",
  },
  "test-not-plainly-passed": {
    title: "A test did not plainly pass",
    hint: "Failed, pending, retried and expected-to-fail tests are no passes.",
  },
  "passed-count": {
    title: "The number of passed tests is not the promised one",
    hint: "More counts as wrong as fewer does.",
  },
  "added-count": {
    title: "The number of added tests is not the promised one",
    hint: "Counted as passed on head minus passed on base.",
  },
  "mutation-survived": {
    title: "A part of the change is noticed by no test",
    hint: "Add a test that fails without it, or take it out.",
  },
  "mutations-left": {
    title: "Not every part of the change was tried without",
    hint: "Give `--mutations` more seconds.",
  },
  "held-out-failed": {
    title: "A held-out test does not pass",
    hint: "The change does less than the task asks, or only what its visible tests look at.",
  },
  "generated-differs": {
    title: "A generated file is not what its command makes",
    hint: "Run the command over the change and take what it makes.",
  },
  "generated-not-run": {
    title: "A generated file was not made again",
    hint: "See why its command was not run; until then nothing is known of the file.",
  },
  "held-out-not-run": {
    title: "A held-out test was not run",
    hint: "Add its file on this machine: `trueup contract add-held-out FILE`.",
  },
  "named-test": { title: "A promised test is missing or did not pass", hint: "Names are `suite > title`, exactly." },
  "test-removed": {
    title: "A test of the base is gone",
    hint: "Bring it back, or name it in `retired` before the work starts.",
  },
  "test-regressed": { title: "A test of the base no longer passes", hint: "Mend the code, not the test." },
  "assertions-lost": {
    title: "A test of the base no longer asserts anything",
    hint: "Bring its assertions back; a test without one passes whatever the code does.",
  },
  "test-without-assertion": {
    title: "A test asserts nothing",
    hint: "Give it an assertion; without one it passes whatever the code does.",
  },
  "failing-on-base": { title: "A failure that the base has too", hint: "Not blamed on this change." },
  "base-not-green": {
    title: "The untouched base is red",
    hint: "Mend the base first, or ask for `baseline: no-worse`.",
  },
  "base-without-tests": {
    title: "The command finds no test on the base",
    hint: "Nothing to do when the change adds the file.",
  },
  "claim-contradicted": {
    title: "The agent's account does not agree with what was measured",
    hint: "Believe the measurement.",
  },
  "claim-not-measured": {
    title: "The agent claims something that was not measured",
    hint: "Give the task a contract with a test command.",
  },
  "agent-protocol-fault": {
    title: "The agent broke its protocol",
    hint: "Read its transcript; it may have stopped in the middle.",
  },
  "agent-stopped-early": {
    title: "The agent did not end its turn by itself",
    hint: "Read its transcript; the work may be half done.",
  },
  "grade-too-low": {
    title: "The evidence is weaker than demanded",
    hint: "The grade's costs say what weakened it; `trueup doctor` says what this machine can do.",
  },
  "override-unused": {
    title: "An override names nothing that blocks",
    hint: "Nothing to do; the row can stay or go from the change.",
  },
  "override-not-added": {
    title: "An override row was changed, removed, or is no row",
    hint: "Rows are only added, with `trueup override add`. Put the old one back; what has ended needs no removal.",
  },
  "override-malformed": { title: "An override row cannot be read", hint: newRow },
  "override-altered": { title: "An override row is not what was signed", hint: newRow },
  "override-unsigned": { title: "An override row has no signature", hint: newRow },
  "override-wrong-namespace": {
    title: "An override row carries a signature that was made for something else",
    hint: newRow,
  },
  "override-without-signers": {
    title: "Nobody may override here: base names no allowed signer",
    hint: "Add `.trueup/allowed_signers` to the base branch: one line `NAME KEYTYPE KEY` a person (docs/overrides.md).",
  },
  "override-unknown-signer": {
    title: "An override row is signed by a key that base does not allow for this user",
    hint: "Take the row out. Who may override stands in `.trueup/allowed_signers` of the base branch, never of the change.",
  },
  "override-without-presence": {
    title: "An override row is signed without a touch of a security key",
    hint: "Base asks for one: sign with an `sk-` key (`ssh-keygen -t ed25519-sk`).",
  },
  "override-replayed": {
    title: "An override row was signed for another change or contract",
    hint: "Take the row out and sign this change: any edit after signing ends an override.",
  },
  "override-expired": { title: "An override row is outside its time", hint: newRow },
  "override-not-allowed": {
    title: "An override row names something that no override opens",
    hint: "Take the row out. A broken log wants a new session, another contract a new attempt.",
  },
  "override-not-checked": {
    title: "An override row's signature could not be checked",
    hint: "Install OpenSSH's `ssh-keygen` and run it again; nothing unchecked is taken for a signature.",
  },
  "evidence-witness-absent": evidence("Our witness did not report from inside the runner"),
  "evidence-frame-broken": evidence("The witness's report is damaged"),
  "evidence-frame-sequence": evidence("Parts of the witness's report are missing or out of order"),
  "evidence-frame-mac": evidence("Someone other than the witness wrote into its channel"),
  "evidence-frame-after-end": evidence("Something was written after the witness's last word"),
  "evidence-end-missing": {
    title: "The runner stopped before its end",
    hint: "Read what it printed: a configuration it refuses, a crash, or a process that was killed.",
  },
  "evidence-end-twice": evidence("The witness's report ends twice"),
  "evidence-lists-differ": evidence("Tests as they ran and tests as listed at the end differ"),
  "evidence-counts-differ": evidence("The counts do not follow from the cases"),
  "evidence-second-witness-differs": evidence("The runner's own report says something else than the witness"),
  "evidence-second-witness-unreadable": evidence("The runner's own report cannot be read"),
  "evidence-isolation-not-seen": evidence("The tests were not seen to run in isolated workers"),
  "evidence-exit-differs": evidence("Exit codes and reports of one run differ"),
  "evidence-identity-twice": evidence("The same test was reported twice"),
  "hazard-submodule": entry("A submodule was added or changed"),
  "hazard-git-like-name": entry("A name looks like git's own directory"),
  "hazard-nested-repository": entry("A repository lies inside the tree"),
  "hazard-device-or-socket": entry("A device, pipe or socket lies in the tree"),
  "hazard-symlink-outside": entry("A symbolic link leaves the tree"),
  "hazard-name-collision": entry("Two names are one on other file systems", "Rename one of them."),
  "hazard-control-character": entry("A name holds control characters", "Rename it."),
  "hazard-invalid-utf8": entry("A name is not UTF-8", "Rename it."),
  "hazard-mode-changed": entry("A file's mode changed", "Put the mode back."),
  "lint-test-skipped": look("A test is skipped or left to do"),
  "lint-test-focused": look("A test is focused, so that others do not run"),
  "lint-test-inverted": look("A test is declared to fail"),
  "lint-test-retried": look("A test may be tried again until it passes"),
  "lint-test-empty": look("A test has an empty body"),
  "lint-test-asserts-nothing": look("A test calls nothing that asserts"),
  "lint-assertion-tautology": look("An assertion compares an expression with itself"),
  "lint-assertion-swallowed": look("An assertion stands in a `try` whose `catch` says nothing"),
  "lint-unit-mocked": look("A test mocks a file that this change is about"),
  "lint-matcher-replaced": look("A matcher of the test runner is added or replaced"),
  "lint-result-rewritten": look("Code writes to the runner's result of a test"),
  "lint-process-ended": look("A test ends the process or sets its exit code"),
  "lint-runner-sniffed": look("Product code asks whether a test runner is there"),
  "lint-answer-by-heart": look("Product code compares with a text of the changed tests"),
  "lint-check-silenced": look("A comment silences a checker or hides code from coverage"),
  "lint-type-escaped": look("A cast to `any` switches the type checker off"),
  "lint-not-looked": look("Changed code was not looked at by the lint"),
};

/** The words of a code; a code of a later version gets words that say so. */
export function wordsOf(code: string): FindingWords {
  const words: FindingWords | undefined = Object.hasOwn(table, code) ? table[code as FindingCode] : undefined;
  return (
    words ?? { title: "A finding that this version has no words for", hint: "Read it with the version that made it." }
  );
}
