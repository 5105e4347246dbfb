import { site } from "./site.js";
import { slugify } from "./slugify.js";

/** The address of a page. */
export function permalink(title: string): string {
  return `${site()}/${slugify(title)}`;
}
