it.each([1, 2, 3, 4])("case %s", (n) => {
  expect(n).toBe(n);
});
