export const include = ["test/fake.test.ts"];
