import { gradeOf, reachesGrade } from "../grade.ts";
import { block, type Rule } from "../rule.ts";

/** Evidence below the demanded grade blocks; without a contract there is no evidence to grade. */
export const minimumGrade: Rule = (context) => {
  const { value } = gradeOf(context);
  const { minimum_grade: minimum } = context.policy;
  if (context.contract === null || reachesGrade(value, minimum)) return { findings: [] };
  return { findings: [block("grade-too-low", "", `grade ${value} (minimum ${minimum})`)] };
};
