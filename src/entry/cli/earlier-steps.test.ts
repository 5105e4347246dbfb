import { expect, test } from "vitest";
import { earlierSteps } from "./earlier-steps.ts";

const place = { workTree: "/home/job/work", own: "/home/job/actions/trueup" };

test.each<[string, Readonly<Record<string, string>>, number]>([
  ["nothing", { PATH: "/usr/bin:/home/job/actions/trueup/bin" }, 0],
  ["an empty variable", { PATH: "/usr/bin", NODE_OPTIONS: "" }, 0],
  ["[H15] options for every Node process", { NODE_OPTIONS: "--require ./x.cjs" }, 1],
  ["[H15] a library in every process", { LD_PRELOAD: "/home/job/work/x.so" }, 1],
  ["[H15] programs of the work tree", { PATH: "/home/job/work/node_modules/.bin:/usr/bin" }, 1],
  ["[H15] the current directory in the search path", { PATH: "/usr/bin::/bin" }, 1],
  ["[H15] a relative directory in the search path", { PATH: "node_modules/.bin" }, 1],
  ["a directory whose name only begins like it", { PATH: "/home/job/workshop/bin" }, 0],
])("%s", (_name, env, signs) => {
  expect(earlierSteps({ PATH: "/usr/bin", ...env }, place)).toHaveLength(signs);
});
