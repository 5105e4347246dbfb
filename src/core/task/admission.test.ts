import { describe, expect, it } from "vitest";
import { admitLease, admitTask, type AdmissionSubject } from "./admission.ts";

const contract = { max_added_lines: 1 };

const cases: readonly [title: string, task: AdmissionSubject, answer: string][] = [
  [
    "[D8] auto_safe without a contract is refused at creation",
    { authority: "auto_safe", contract: null },
    "contract-required",
  ],
  ["[D8] auto_safe with a contract is admitted", { authority: "auto_safe", contract }, "auto_safe"],
  ["[D10] an operator may omit the contract", { authority: "operator", contract: null }, "operator"],
  ["[D10] an operator may give one", { authority: "operator", contract }, "operator"],
  ["a proposed task waits even with a contract", { authority: "proposed", contract }, "waits-for-approval"],
  ["a task that names no authority waits", { authority: null, contract }, "waits-for-approval"],
];

const answerOf = (admission: ReturnType<typeof admitTask>): string =>
  admission.outcome === "admitted" ? admission.authority : admission.code;

describe("admitTask", () => {
  it.each(cases)("%s", (_title, task, answer) => {
    expect(answerOf(admitTask(task))).toBe(answer);
  });
});

describe("admitLease", () => {
  it("[D9] auto_safe whose contract went away after creation is refused at the lease", () => {
    expect(admitTask({ authority: "auto_safe", contract }).outcome).toBe("admitted");
    expect(answerOf(admitLease({ authority: "auto_safe", contract: null }))).toBe("contract-required");
  });

  it.each(cases)("[D9] decides again by the same rules: %s", (_title, task, answer) => {
    expect(answerOf(admitLease(task))).toBe(answer);
  });
});
