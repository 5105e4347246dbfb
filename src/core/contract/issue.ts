/** One reason why a text is not valid: where (`tests[0].passed`) and why, in plain words. */
export interface Issue {
  readonly key: string;
  readonly reason: string;
}

/** Spells a path of keys and indexes the way a reader would write it: `tests[0].env.TZ`. `root` names the whole. */
export function formatKey(path: readonly PropertyKey[], root: string): string {
  if (path.length === 0) return root;
  return path.reduce<string>((text, step) => text + formatStep(step, text === ""), "");
}

function formatStep(step: PropertyKey, first: boolean): string {
  if (typeof step === "number") return `[${step}]`;
  const name = String(step);
  if (/^[$A-Za-z_][\w$-]{0,79}$/u.test(name)) return first ? name : `.${name}`;
  return `[${JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)}]`;
}
