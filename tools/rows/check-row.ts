import type { Row } from "./row-file.ts";

/** The text of a file of the tree, or null when there is none. */
export type ReadText = (path: string) => string | null;

/** True when a title in the file begins with the row's id: `"[E3] ..."`, also after other ids: `"[E3] [E4] ..."`. */
export const namesRow = (text: string, id: string): boolean =>
  new RegExp(`["'\`](\\[[A-Z]\\d+\\] ?)*\\[${id}\\]`).test(text);

/** A title may stand in a suite that a named test file imports, so one of the files must hold it, and all must be there. */
const checkTests = (row: Row, read: ReadText): readonly string[] => {
  const texts = row.tests.map((file) => ({ file, text: read(file) }));
  const missing = texts.filter(({ text }) => text === null).map(({ file }) => `${file} does not exist`);
  if (missing.length > 0 || texts.some(({ text }) => namesRow(text ?? "", row.id))) return missing;
  return [`${row.tests.join(", ")}: no test whose title begins with [${row.id}]`];
};

const checkFault = (row: Row, read: ReadText): readonly string[] => {
  if (row.fault === undefined) return [];
  const { file, find, replace } = row.fault;
  const found = (read(file) ?? "").split(find).length - 1;
  return [
    ...(found === 1 ? [] : [`the fault's text stands ${found} times in ${file}, not once`]),
    ...(find === replace ? ["the fault changes nothing"] : []),
  ];
};

/** What keeps a row from being held, by reading alone. Open rows have no problems. */
export const checkRow = (row: Row, read: ReadText): readonly string[] =>
  row.status === "open" ? [] : [...checkTests(row, read), ...checkFault(row, read)];
