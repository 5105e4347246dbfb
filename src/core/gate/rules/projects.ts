import { finding, type Rule } from "../rule.ts";

/** `projects` that the change leaves alone are named: nothing of them was run. */
export const projects: Rule = ({ unaffected = [] }) => ({
  findings: unaffected.map((root) =>
    finding("info", "project-not-affected", { subject: root, detail: "no changed path lies in it" }),
  ),
});
