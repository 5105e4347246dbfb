"use strict";
/* A set-up file behind the repository's own, in the process of one test file: a test that asserts nothing fails. */
const { beforeEach, expect } = require("@jest/globals");

beforeEach(() => {
  expect.hasAssertions();
});
