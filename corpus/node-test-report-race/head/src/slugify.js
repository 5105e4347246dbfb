/** The part of an address that names a title: lower case, words joined by a hyphen, also over runs of spaces. */
export function slugify(title) {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, "")
    .replace(/\s/g, "-");
}
