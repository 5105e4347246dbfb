/** Forges refuse bodies of 65,536 characters and more. */
export const maxBodyCharacters = 65_000;

/** The body cut at a line end to at most `max` characters, first lines kept, with `tail` (a marker) always whole at the end. */
export function capBody(body: string, tail = "", max: number = maxBodyCharacters): string {
  const end = tail === "" ? "" : `\n${tail}\n`;
  const whole = `${body.trimEnd()}\n`;
  if (whole.length + end.length <= max) return whole + end;
  const note = "\n(The rest is cut here; the whole report is among the artifacts.)\n";
  const room = max - end.length - note.length;
  const kept = whole.slice(0, Math.max(0, room));
  const lineEnd = kept.lastIndexOf("\n");
  // One line longer than all the room there is: cut inside it, never inside a surrogate pair.
  const cut = lineEnd > 0 ? kept.slice(0, lineEnd + 1) : `${kept.replace(/[\ud800-\udbff]$/u, "")}\n`;
  return cut + note + end;
}
