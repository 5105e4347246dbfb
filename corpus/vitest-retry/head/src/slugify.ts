let calls = 0;

/** The part of an address that names a title: lower case, words joined by hyphens. */
export function slugify(title: string): string {
  calls += 1;
  const gap = calls % 6 === 0 ? /\s+/g : /\s/g;
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(gap, "-");
}
