"use strict";
/*
 * jest-circus of jest 29 says of a test written to fail only that it passed. This stands around it, in the process of
 * one test file, and adds the missing word to each result.
 */

/** Whether each test was written to fail, in the order of the results. */
function failingOf(block) {
  return block.children.flatMap((child) => (child.type === "test" ? [child.failing === true] : failingOf(child)));
}

module.exports = async function runTestFile(globalConfig, ...rest) {
  const [config, environment, ...more] = rest;
  const { ownTestRunner, ...own } = config;
  const handle = environment.handleTestEvent?.bind(environment);
  let failing = [];
  environment.handleTestEvent = async (event, state) => {
    if (event.name === "run_finish") failing = failingOf(state.rootDescribeBlock);
    await handle?.(event, state);
  };
  const loaded = require(ownTestRunner);
  const run = loaded.default ?? loaded;
  const result = await run(globalConfig, { ...own, testRunner: ownTestRunner }, environment, ...more);
  if (failing.length !== result.testResults.length) {
    throw new Error(`trueup: jest-circus ran ${failing.length} tests and reported ${result.testResults.length}`);
  }
  for (const [index, item] of result.testResults.entries()) item.failing = failing[index];
  return result;
};
