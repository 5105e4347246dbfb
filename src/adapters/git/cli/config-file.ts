/**
 * The last value of `section.name` in the text of a git configuration file, or null. Only plain sections are read, and
 * no `include`: a repository's file may say what it likes, but not open others. A name without a value is `true`.
 */
export function readConfigValue(text: string, section: string, name: string): string | null {
  let inside = false;
  let found: string | null = null;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const header = /^\[\s*([A-Za-z0-9.-]+)\s*\](.*)$/u.exec(line);
    if (line.startsWith("[")) inside = header?.[1]?.toLowerCase() === section;
    const rest = line.startsWith("[") ? (header?.[2]?.trim() ?? "") : line;
    const [, key = "", value] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/u.exec(rest) ?? [];
    if (inside && key.toLowerCase() === name) found = value === undefined ? "true" : plainValue(value);
  }
  return found;
}

/** Whether git takes a value for true. */
export function isTrue(value: string | null): boolean {
  return value !== null && /^(?:true|yes|on|[1-9][0-9]*)$/iu.test(value);
}

/** Quotes, escapes and comments as git reads them. */
function plainValue(value: string): string {
  let plain = "";
  let quoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === "\\") plain += value.charAt((at += 1));
    else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "#" || char === ";")) break;
    else plain += char;
  }
  return plain.trimEnd();
}
