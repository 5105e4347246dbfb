import { slugify } from "./src/slugify.js";

const wanted = { "x  y": "x-y", "One,  two": "one-two" };
for (const [title, slug] of Object.entries(wanted)) if (slugify(title) !== slug) process.exit(1);
