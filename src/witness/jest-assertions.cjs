"use strict";
/* A set-up file behind the repository's own, in the process of one test file: a test that asserts nothing fails. */

/** Not a package: jest's own name for what is global in the file that runs. */
const globals = "@jest/globals";
const { beforeEach, expect } = require(globals);

beforeEach(() => {
  expect.hasAssertions();
});
