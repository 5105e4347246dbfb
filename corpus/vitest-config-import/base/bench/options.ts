export const include = ["test/**/*.test.ts"];
