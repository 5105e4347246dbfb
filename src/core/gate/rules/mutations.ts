import { finding, type Rule } from "../rule.ts";

/** `mutation-survived`: a part of the change without which every test passes as well. Warns; the reviewer decides. */
export const mutations: Rule = ({ facts }) => {
  if (facts.mutations === undefined) return { findings: [] };
  const { tried, left } = facts.mutations;
  const survived = tried
    .filter((one) => one.outcome === "survived")
    .map((one) =>
      finding("warn", "mutation-survived", {
        subject: one.path,
        detail: `the hunk at line ${one.line} undone: every test passes as before`,
      }),
    );
  const rest = finding("info", "mutations-left", { subject: "", detail: `${tried.length} hunks tried, ${left} left` });
  return { findings: left > 0 ? [...survived, rest] : survived };
};
