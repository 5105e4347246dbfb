import type { ReportFindingCode } from "../core/test-report/index.ts";
import type { FindingWords } from "./finding-words.ts";

const same = "Take both from one run of the same command.";
const whole = "Give the file as the runner wrote it; if the run was killed, there is no report to believe.";

/** Words for what is found in a report; the type makes the table complete. */
export const testReportWords: Readonly<Record<ReportFindingCode, FindingWords>> = {
  "tests-failed": { title: "Tests failed", hint: "Read their errors with `--json`." },
  "tests-unfinished": { title: "Tests began and have no result", hint: "The run ended before they did; run it again." },
  "files-failed": {
    title: "Files failed as a whole",
    hint: "They did not load, or a hook threw; their tests may be missing.",
  },
  "file-reported-nothing": {
    title: "A file reported no test",
    hint: "It is empty, did not load, or its process ended early; such a file is no pass.",
  },
  "unhandled-errors": { title: "Errors outside the tests", hint: "Read them with `--json`." },
  "no-tests": {
    title: "No test passed as a plain pass",
    hint: "Check the filter, the configuration and the file names.",
  },
  "counts-differ": {
    title: "The header and the list do not agree",
    hint: "One of them was not written by the runner, or not for this run.",
  },
  "exit-differs": {
    title: "The exit code and the report do not agree",
    hint: "Errors outside tests, thresholds and hooks show in the exit code alone; read the log of the run.",
  },
  "report-says-failed": {
    title: "The report calls the run failed",
    hint: "A threshold, a snapshot or a hook failed outside the tests; read the log of the run.",
  },
  "report-says-passed": { title: "The report calls the run passed", hint: "Its own list does not; believe the list." },
  "snapshots-failed": { title: "Snapshots did not match", hint: "Look at the snapshots." },
  interrupted: { title: "The run was interrupted", hint: "Run it again to its end." },
  "report-older": {
    title: "The report is older than the run",
    hint: "It is a file of another run; write to a fresh path.",
  },
  "report-empty": { title: "The report is empty", hint: whole },
  "report-unreadable": { title: "The report cannot be read", hint: whole },
  "runner-unknown": {
    title: "No runner that this version knows writes such a file",
    hint: "vitest and jest JSON, and JUnit of node:test, pytest and others can be read.",
  },
  "runner-differs": { title: "The report is another runner's", hint: "Leave `--runner` out, or name the right one." },
  "runner-hides-errors": {
    title: "This version of the runner exits 0 after errors outside the tests",
    hint: "Neither its report nor its exit code tells a good run; use a newer version, or `trueup check`.",
  },
  "runners-mixed": { title: "Reports of several runners are in one file", hint: "Give each report as its own file." },
  "exit-unknown": { title: "Nobody says how the run exited", hint: `Give \`--exit N\`. ${same}` },
  "header-incomplete": { title: "The report's own counts are missing", hint: whole },
  "impossible-number": {
    title: "A number that no run gives",
    hint: "The file was not written by a runner, or was changed.",
  },
  "unknown-content": {
    title: "Content that the format does not have",
    hint: "What it means is not known, so nothing is concluded.",
  },
  "not-plain-passes": {
    title: "Tests that prove nothing",
    hint: "A skip, `.only` and a name filter look alike in a report. If so many are meant, give `--allow-other N`.",
  },
  "other-states-allowed": {
    title: "Tests that prove nothing, as allowed",
    hint: "Look whether they are the ones you meant.",
  },
  "same-names": { title: "Several tests have one name", hint: "They can only be told apart by their order." },
  "todo-failed": { title: "A todo failed", hint: "The runner does not count it; look whether it is meant." },
  "open-handles": { title: "The run left handles open", hint: "Look what the tests leave running." },
};
