/** A change of a text for people: what both ends share is left out, but for a line of context. Not meant to be applied. */
export function renderLineDiff(path: string, before: string | null, after: string): readonly string[] {
  const [old, now] = [before === null ? [] : linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const context = head === 0 ? [] : [` ${old[head - 1] ?? ""}`];
  return [
    `--- ${before === null ? "/dev/null" : path}`,
    `+++ ${path}`,
    ...context,
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...(tail === 0 ? [] : [` ${now.at(-tail) ?? ""}`]),
  ];
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/u, "").split("\n");
}
