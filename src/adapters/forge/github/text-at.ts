/** One version of a text, as the forge keeps them: the first is the text as it was written. */
export interface TextEdit {
  readonly createdAt: string;
  readonly deletedAt: string | null;
  /** The whole text after this edit, in spite of the name that the forge gives it. */
  readonly diff: string | null;
}

/** A text with its history, as the forge answers. */
export interface EditedText {
  readonly body: string;
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  readonly userContentEdits: { readonly totalCount: number; readonly nodes: readonly TextEdit[] };
}

/**
 * The text as it stood at a time (ISO 8601); empty before it was written. Null where the history does not say it for
 * certain: a version is missing or removed, or the newest one is not the text that stands there.
 */
export function textAt(text: EditedText, at: string): string | null {
  const time = Date.parse(at);
  if (Date.parse(text.createdAt) > time) return "";
  if (text.lastEditedAt === null || Date.parse(text.lastEditedAt) <= time) return text.body;
  const { totalCount, nodes } = text.userContentEdits;
  const versions = nodes.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  const whole = versions.length === totalCount && versions.every((one) => one.diff !== null && one.deletedAt === null);
  if (!whole || versions.at(-1)?.diff !== text.body) return null;
  return versions.findLast((one) => Date.parse(one.createdAt) <= time)?.diff ?? null;
}
